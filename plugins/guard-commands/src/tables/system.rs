//! The machine itself: disks, processes, services, users, firewalls, boot.

use hookbox_pack::Severity::{Ask, Block};
use hookbox_pack::{Rule, rule};

const DISK: &str = "destroys what is on the disk: work on an image file in the project, or let the user do it";
const POWER: &str = "stops the machine that you run on: let the user do it";
const SERVICE: &str =
    "takes a service of the machine down: say why and let the user do it; `systemctl status` shows its state";
const FIREWALL: &str =
    "removes the machine's protection from the network: add the one rule that you need, or let the user do it";
const USERS: &str = "removes a user or their way in: let the user do it";
const ROOT_SHELL: &str =
    "opens a shell with all rights, in which nothing is checked: run the one command that needs it with `sudo COMMAND`";
const BOOT: &str = "can leave the machine unable to start: let the user do it";

pub(crate) const RULES: &[Rule] = &[
    // disks
    rule("wipefs", Block, "wipefs -a|--all|-o|--offset !-n|--no-act", DISK),
    rule("blkdiscard", Block, "blkdiscard *", DISK),
    rule(
        "partition",
        Block,
        "fdisk|cfdisk|gdisk|cgdisk @/dev/* !-l|--list|-s|--getsz",
        DISK,
    ),
    rule(
        "partition",
        Block,
        "sfdisk @/dev/* !-l|-d|--dump|--list|-J|--json|-n|--no-act|-V|--verify",
        DISK,
    ),
    rule(
        "partition",
        Block,
        "sgdisk -Z|--zap-all|-z|--zap|-o|--clear|-d|--delete|-n|--new|-g|-G|-R",
        DISK,
    ),
    rule(
        "partition",
        Block,
        "parted ** mklabel|mktable|mkpart|rm|resizepart|mkfs|mkpartfs|name|rescue",
        DISK,
    ),
    rule(
        "partition",
        Block,
        "diskutil eraseDisk|eraseVolume|partitionDisk|reformat|zeroDisk|randomDisk|secureErase|splitPartition|mergePartitions|resetFusion; diskutil apfs|ap deleteContainer|deleteVolume|eraseVolume; diskutil cs|coreStorage delete*",
        DISK,
    ),
    rule("partition", Block, "asr restore -erase|--erase", DISK),
    rule(
        "volumes",
        Block,
        "lvremove|vgremove|pvremove|lvreduce|vgreduce|vgexport !-t|--test; lvresize @-*G|-*M|-*T|-*%* -L|--size|-l|--extents; lvm lvremove|vgremove|pvremove|lvreduce|vgreduce",
        DISK,
    ),
    rule(
        "raid",
        Block,
        "mdadm --zero-superblock|--stop|-S|--fail|--remove|-f|-r; dmsetup remove|remove_all|wipe_table|clear",
        DISK,
    ),
    rule(
        "zfs",
        Block,
        "zfs destroy|rollback !-n; zpool destroy|labelclear|remove|offline|detach|export|split; btrfs subvolume|subvol|su delete|del; btrfs device|filesystem delete|remove|label *",
        DISK,
    ),
    rule(
        "crypt",
        Block,
        "cryptsetup luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|luksHeaderRestore|reencrypt|luksChangeKey",
        DISK,
    ),
    rule(
        "erase-drive",
        Block,
        "hdparm --security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector|--write-sector|--repair-sector; nvme format|sanitize|write-zeroes|delete-ns; sg_format -F|--format; sg_sanitize; badblocks -w|-n; nwipe @/dev/*; dcfldd|dc3dd @of=/dev/*; ddrescue @/dev/* -f|--force; xfs_repair -L; debugfs -w; e2image -r; ntfsclone --overwrite|-O; flashrom -w|--write|-E|--erase; fastboot erase|flash|format|oem|flashall|-w; tune2fs -O|-U",
        DISK,
    ),
    rule(
        "filesystem-change",
        Ask,
        "fsck|e2fsck|fsck.* -y|-p|-a; xfs_growfs|resize2fs|btrfstune|ntfsresize @/dev/* !-P|--info|-n; losetup -D|--detach-all",
        "changes a file system in place: back it up first and let the user do it",
    ),
    rule(
        "swapoff",
        Ask,
        "swapoff -a|--all",
        "takes memory from running programs: let the user do it",
    ),
    rule(
        "umount",
        Ask,
        "umount -a|--all|-l|--lazy|-f|--force",
        "takes file systems away from running programs: name the one mount and leave -f, -l and -a out",
    ),
    rule(
        "remount",
        Ask,
        "mount ** @*remount*",
        "changes a mounted file system: let the user do it",
    ),
    // processes
    rule(
        "kill-all",
        Block,
        "kill @-1 @-9|-KILL|-SIGKILL|-s|-TERM|-SIGTERM|-15|--; kill ** 0 $; pkill ** .|.*|^ $; killall5; killall -u|--user; pkill @-u|--euid|--uid|-t $",
        "ends every process of the user, this agent among them: `kill PID` of the one you mean",
    ),
    rule(
        "kill-by-name",
        Ask,
        "killall * !-l|-V|-0|--list|--version|--help; pkill -9|-KILL|-SIGKILL; pkill -s|--signal @9|KILL|SIGKILL; pkill ** node|claude|codex|gemini|opencode|bash|zsh|sh|tmux|screen|code|ssh|docker $; taskkill @/f @/im|/pid; tmux kill-server; tskill *; skill|snice -9|-KILL|-u",
        "kills every process of that name, this agent and the work of others perhaps among them: end the one that you started (`kill PID`)",
    ),
    rule(
        "agent-unguarded",
        Ask,
        "claude --dangerously-skip-permissions|--allow-dangerously-skip-permissions; claude --permission-mode @bypassPermissions; claude @--permission-mode=bypassPermissions; codex --dangerously-bypass-approvals-and-sandbox|--yolo|--full-auto; codex ** -s|--sandbox @danger-full-access; codex ** -a|--ask-for-approval @never; gemini|qwen -y|--yolo|--approval-mode=yolo; cursor-agent|agent -f|--force; copilot --allow-all-tools|--allow-all|--yolo; aider --yes-always; goose @--dangerously*; opencode @--dangerously*; amp --dangerously-allow-all; droid ** --skip-permissions-unsafe|--auto @high",
        "starts an agent that asks nobody and that no guard of this session sees: start it with its own permissions",
    ),
    rule(
        "kill-init",
        Block,
        "kill ** 1 $; taskkill @/f @/pid @0|1|4",
        "ends the process that everything runs under: name the one you mean",
    ),
    rule(
        "kill-critical",
        Block,
        "pkill|killall|skill ** systemd|init|sshd|dbus-daemon|Xorg|gdm|launchd|WindowServer|loginwindow|NetworkManager|explorer|lsass|winlogon|csrss",
        "ends what the session runs on: name the process that you started",
    ),
    // power
    rule(
        "shutdown",
        Block,
        "shutdown !--help|-c|--show; reboot !--help; halt !--help; poweroff !--help; systemctl poweroff|reboot|halt|kexec|hibernate|suspend|emergency|rescue|soft-reboot|isolate; loginctl poweroff|reboot|terminate-user|terminate-session|kill-user; init|telinit 0|1|6|s|S; kexec -e; pmset sleepnow; osascript @*shut*down*|*restart*; stop-computer|restart-computer !-WhatIf; logoff; shutdown.exe; wmic os @shutdown|reboot",
        POWER,
    ),
    // services
    rule(
        "service-stop",
        Ask,
        "systemctl stop|disable|mask|kill|revert|daemon-reexec|set-default !--user; service * stop; rc-service * stop; rc-update del|delete; update-rc.d ** remove|disable; chkconfig * off; launchctl unload|remove|bootout|disable|stop|kill; initctl stop; sv down|stop|exit *; s6-svc -d; supervisorctl stop|shutdown|remove; pm2 kill; pm2 delete|stop all; monit stop all; nginx -s @stop|quit; apachectl|apache2ctl|httpd stop|graceful-stop; apachectl|httpd -k @stop; pg_ctl stop -m @immediate; snap stop --disable; rcctl stop|disable; docker-machine rm|stop; launchctl bootout; net|net1 stop|pause; sc stop|delete|pause; sc config ** @*disabled; stop-service|suspend-service|remove-service !-WhatIf; set-service @disabled; svcadm disable",
        SERVICE,
    ),
    rule(
        "cron-remove",
        Block,
        "crontab -r !-l",
        "deletes every scheduled job: `crontab -l > saved` first, then edit the one line with `crontab -e`",
    ),
    rule(
        "cron-remove",
        Ask,
        "atrm *; at -d|-r; schtasks @/delete",
        "deletes scheduled jobs: list them first and let the user do it",
    ),
    // network
    rule(
        "firewall",
        Block,
        "iptables|ip6tables|iptables-legacy|iptables-nft|ebtables|arptables -F|--flush|-X|--delete-chain|-Z; iptables|ip6tables -P|--policy @ACCEPT|DROP; nft flush|delete; ufw disable|reset; ufw default allow; firewall-cmd --panic-on|--complete-reload|--reset-to-defaults; pfctl -d|-F; ipfw flush|disable; netsh ** firewall ** off|reset; netsh ** delete; set-netfirewallprofile @*False*; systemctl ** @firewalld|ufw|nftables|iptables @stop|disable|mask; set-netfirewallprofile|disable-netfirewallrule|remove-netfirewallrule @*",
        FIREWALL,
    ),
    rule(
        "firewall-rule",
        Ask,
        "iptables|ip6tables -D|--delete|-R|--replace; iptables-restore|ip6tables-restore !-t|--test; ufw delete; ufw deny|reject 22|ssh|22/tcp; firewall-cmd @--remove-*|--delete-*; netsh ** set|delete",
        FIREWALL,
    ),
    rule(
        "network-down",
        Ask,
        "ip link set ** down; ip link del|delete; ip route|r|ro flush|del|delete; ip addr|a|address flush|del|delete; ip netns del|delete; ifconfig * down; ifdown; nmcli networking|radio off; nmcli connection|con|c|device|dev|d down|delete|disconnect; route del|delete|flush; networksetup -setnetworkserviceenabled|-removenetworkservice; disable-netadapter|remove-netipaddress|remove-netroute !-WhatIf; ipconfig @/release; tc qdisc del; wg-quick down; tailscale down|logout; rfkill block",
        "can cut the machine off, this session with it: let the user do it",
    ),
    rule(
        "security-off",
        Block,
        "setenforce 0|Permissive; aa-disable; aa-teardown; csrutil disable; spctl --master-disable|--global-disable; auditctl -D|-e; fdesetup disable; mokutil --disable-validation; systemctl ** @auditd|apparmor|fail2ban|clamav-daemon|falcon-sensor @stop|disable|mask; set-mppreference @*Disable*|*Exclusion*; add-mppreference @*Exclusion*; setsebool ** 0|off|false; manage-bde -off|-disable; disable-bitlocker; uninstall-windowsfeature; remove-mppreference",
        "switches a protection of the machine off: leave it on",
    ),
    // users
    rule(
        "user-delete",
        Block,
        "userdel|deluser|groupdel|delgroup|luserdel; dscl ** -delete|delete; sysadminctl -deleteUser; net user|localgroup ** @/delete; pw userdel|groupdel; remove-localuser|remove-aduser|remove-localgroup|remove-adgroup !-WhatIf",
        USERS,
    ),
    rule(
        "user-lock",
        Ask,
        "useradd|adduser|groupadd|addgroup|new-localuser|add-localgroupmember !--help|--version|-D|--defaults; net|net1 user|localgroup ** @/add; passwd -d|--delete|-l|--lock|-e; passwd * !-S|--status; disable-localuser; usermod -L|--lock|-e|-p|-aG|-G|-g|-u|-s|--shell|-d|-l; chage -E; chpasswd; gpasswd -d|-a; faillock --reset; visudo; vipw; loginctl disable-linger",
        USERS,
    ),
    rule(
        "root-shell",
        Ask,
        "su !--version|-V|-h|--help; sudo|doas|sudo-rs -i|--login|-s|--shell; sudo ** su|bash|sh|zsh $; pkexec bash|sh|su; machinectl shell; runuser -l|--login|-; sudoedit /etc/sudoers*",
        ROOT_SHELL,
    ),
    // the system's software
    rule(
        "packages-remove",
        Ask,
        "apt|apt-get|aptitude|dpkg|rpm|yum|dnf|zypper|tdnf|microdnf purge|remove|autoremove|erase !-s|--simulate|--dry-run|--just-print|--assumeno; dpkg -r|--remove|-P|--purge; rpm -e|--erase !--test; pacman|yay|paru @-R*; apk del; snap remove|revert; flatpak uninstall|remove; emerge -C|--unmerge|-c|--depclean !-p|--pretend; pkg delete|remove|autoremove; port uninstall; nix-collect-garbage -d|--delete-old; nix-store --gc|--delete; nix profile wipe-history; winget|choco|scoop uninstall|remove; brew uninstall|remove|rm|zap --force|--zap|--ignore-dependencies; xbps-remove; equo remove; rpm-ostree reset|uninstall; brew uninstall|remove|rm !--dry-run|-n; uninstall-package|uninstall-module|remove-appxpackage|remove-windowscapability|disable-windowsoptionalfeature !-WhatIf; dism @/disable-feature|/remove-package*; msiexec @/x*|/uninstall; wmic product @uninstall",
        "removes software that others of this machine may need: let the user do it",
    ),
    // boot and kernel
    rule(
        "boot",
        Block,
        "update-grub|update-grub2 !--help|--version|-h; grub-mkconfig|grub2-mkconfig -o|--output; grub-set-default|grub2-set-default; update-initramfs|dracut|mkinitcpio -d|-u|-c|-f|-P|--force; reagentc @/disable; efibootmgr -B|-D|-o|--delete-bootnum; bootctl remove|install; grub-install|grub2-install *; bcdedit @/delete|/set|/deletevalue; bcdboot *; nvram -c|-d; lilo; extlinux --install",
        BOOT,
    ),
    rule(
        "kernel-module",
        Ask,
        "rmmod *; modprobe * !-n|--dry-run|-c|--show-depends|-D; modprobe -r|--remove; kmod remove; sysctl -w|--write|--load|--system; sysctl ** @*=*; insmod *; kextunload *",
        "changes the running kernel: let the user do it",
    ),
    rule(
        "system-settings",
        Ask,
        "timedatectl set-*; date @-s*|--set* !--help|--version; hwclock -w|-s|--set|--systohc|--hctosys; hostnamectl set-*; defaults delete|remove|rename; tccutil reset; mdutil -E; diskutil unmount|unmountDisk force|*; systemsetup @-set*; pmset -a|-b|-c; set-executionpolicy @Unrestricted|Bypass; powershell|pwsh @-ExecutionPolicy|-ep|-exec|-ex @Bypass|Unrestricted !-File|-file|-f|-F; reg @import|restore; set-date|set-timezone|rename-computer|enable-psremoting; mountvol @/d|/r|/p; subst @/d",
        "changes a setting of the whole machine: let the user do it",
    ),
    rule(
        "disk-windows",
        Block,
        "diskpart; format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|remove-virtualdisk|remove-storagepool|set-disk !-WhatIf; cipher @/w*; fsutil @setzerodata|deletejournal|reparsepoint|usn @*; convert @/fs:*; chkdsk @/f|/r; sdelete|sdelete64 *",
        DISK,
    ),
    rule(
        "windows-remove",
        Ask,
        "stop-process -Force|-Name|-N; clear-content|set-content|out-file @*Windows*|*System32*; remove-itemproperty|clear-itemproperty|remove-item @HKLM*|HKCU*|HKEY*|Registry*; clear-content *; net use @/delete; net share @/delete; cmdkey @/delete*; vssadmin delete|resize; wevtutil clear-log|cl|uninstall-manifest; auditpol @/clear|/remove; wmic ** delete|terminate|uninstall; set-itemproperty|new-itemproperty|set-item @HKLM*; powershell|pwsh @-enc*|-ec|-e",
        "removes what Windows, or others on it, may need: try -WhatIf first and let the user confirm",
    ),
    rule(
        "windows-rights",
        Ask,
        "icacls|cacls|xcacls @/grant*|/deny*|/reset|/setowner|/remove*|/inheritance* @*/t|*Everyone*|*:\\*; takeown @/r|*:\\*; takeown @/f @*:\\*; set-acl *",
        "changes rights all over: name the one file that needs it",
    ),
    rule(
        "remote-system-file",
        Ask,
        "scp|rsync|sftp ** *:/etc/*|*:/usr/*|*:/boot/*|*:/bin/*|*:/lib/*|*:/root/* $ !-n|--dry-run",
        "writes to the system folders of another machine: let the user do it",
    ),
    rule(
        "traces",
        Ask,
        "unset HISTFILE; export|declare|set @HISTFILE=|HISTFILE=/dev/null|HISTSIZE=0|HISTFILESIZE=0; set-psreadlineoption @SaveNothing",
        "hides from the user what was run: leave the history on",
    ),
    rule(
        "trash-empty",
        Ask,
        "trash-empty; gio|gvfs-trash trash --empty; trash -e|--empty",
        "empties the trash, the last way back to deleted files: let the user do it",
    ),
    rule(
        "logs-delete",
        Ask,
        "journalctl --vacuum-time|--vacuum-size|--vacuum-files|--rotate; logrotate -f|--force; dmesg -C|--clear|-c|--read-clear; wevtutil cl|clear-log; history -c|-w; aureport --delete; clear-eventlog; log erase",
        "deletes records of what happened: leave them",
    ),
    rule("sysrq", Block, "sysctl ** @kernel.sysrq*", POWER),
    rule(
        "selinux-relabel",
        Ask,
        "restorecon -R|-r @/; fixfiles relabel|onboot; setfacl -R|--recursive @/*; chattr -R @/*",
        "changes rights all over the system: name the one file that needs it",
    ),
    rule(
        "keys-delete",
        Block,
        "gpg|gpg2 --delete-secret-keys|--delete-secret-and-public-key|--delete-secret-key|--delete-keys|--delete-key; security delete-keychain|delete-certificate|delete-identity|delete-generic-password|delete-internet-password; ssh-add -D; tpm2_clear; keytool -delete",
        "deletes keys, which nothing brings back: let the user do it",
    ),
];
