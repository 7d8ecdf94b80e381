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
        "lvremove|vgremove|pvremove|lvreduce|vgreduce|vgexport !-t|--test; lvm lvremove|vgremove|pvremove|lvreduce|vgreduce",
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
        "hdparm --security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector|--write-sector|--repair-sector; nvme format|sanitize|write-zeroes|delete-ns; sg_format -F|--format; sg_sanitize; badblocks -w|-n; xfs_repair -L; debugfs -w; e2image -r; ntfsclone --overwrite|-O; flashrom -w|--write|-E|--erase; fastboot erase|flash|format|oem|flashall|-w; tune2fs -O|-U",
        DISK,
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
        "kill @-1 @-9|-KILL|-SIGKILL|-s|-TERM|-SIGTERM|-15|--; killall5; killall -u|--user; pkill -u|-U|--euid|-t $",
        "ends every process of the user, this agent among them: `kill PID` of the one you mean",
    ),
    rule(
        "kill-by-name",
        Ask,
        "killall -9|-KILL|-SIGKILL; pkill -9|-KILL|-SIGKILL; killall|pkill -s|--signal @9|KILL|SIGKILL; taskkill @/f @/im",
        "kills every process of that name, without a chance to save: end the one that you started (`kill PID`)",
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
        "kill ** 1 $",
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
        "shutdown !--help|-c|--show; reboot !--help; halt !--help; poweroff !--help; systemctl poweroff|reboot|halt|kexec|hibernate|suspend|emergency|rescue|soft-reboot|isolate; loginctl poweroff|reboot|terminate-user|terminate-session|kill-user; init|telinit 0|1|6|s|S; kexec -e; pmset sleepnow; osascript @*shut*down*|*restart*",
        POWER,
    ),
    // services
    rule(
        "service-stop",
        Ask,
        "systemctl stop|disable|mask|kill|revert|daemon-reexec|set-default !--user; service * stop; rc-service * stop; rc-update del|delete; update-rc.d ** remove|disable; chkconfig * off; launchctl unload|remove|bootout|disable|stop|kill; initctl stop; sv down|stop|exit *; s6-svc -d; supervisorctl stop|shutdown|remove; brew services stop; pm2 kill; pm2 delete|stop all; monit stop all; nginx -s @stop|quit; apachectl|apache2ctl|httpd stop|graceful-stop; apachectl|httpd -k @stop; pg_ctl stop -m @immediate; snap stop --disable; rcctl stop|disable; docker-machine rm|stop",
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
        "iptables|ip6tables|iptables-legacy|iptables-nft|ebtables|arptables -F|--flush|-X|--delete-chain|-Z; iptables|ip6tables -P|--policy @ACCEPT|DROP; nft flush|delete; ufw disable|reset; ufw default allow; firewall-cmd --panic-on|--complete-reload|--reset-to-defaults; pfctl -d|-F; ipfw flush|disable; netsh ** firewall ** off|reset; netsh ** delete; set-netfirewallprofile @*False*; systemctl ** @firewalld|ufw|nftables|iptables @stop|disable|mask",
        FIREWALL,
    ),
    rule(
        "network-down",
        Ask,
        "ip link set ** down; ip link del|delete; ip route|r|ro flush|del|delete; ip addr|a|address flush|del|delete; ip netns del|delete; ifconfig * down; ifdown; nmcli networking|radio off; nmcli connection|con|c|device|dev|d down|delete|disconnect; route del|delete|flush; networksetup -setnetworkserviceenabled|-removenetworkservice; tc qdisc del; wg-quick down; tailscale down|logout; rfkill block",
        "can cut the machine off, this session with it: let the user do it",
    ),
    rule(
        "security-off",
        Block,
        "setenforce 0|Permissive; aa-disable; aa-teardown; csrutil disable; spctl --master-disable|--global-disable; auditctl -D|-e; fdesetup disable; mokutil --disable-validation; systemctl ** @auditd|apparmor|fail2ban|clamav-daemon|falcon-sensor @stop|disable|mask; set-mppreference @*Disable*",
        "switches a protection of the machine off: leave it on",
    ),
    // users
    rule(
        "user-delete",
        Block,
        "userdel|deluser|groupdel|delgroup|luserdel; dscl ** -delete|delete; sysadminctl -deleteUser; net user|localgroup ** @/delete; pw userdel|groupdel",
        USERS,
    ),
    rule(
        "user-lock",
        Ask,
        "passwd -d|--delete|-l|--lock|-e; usermod -L|--lock|-e|-p|-aG|-G|-g|-u; chage -E; chpasswd; gpasswd -d|-a; faillock --reset; visudo; vipw; loginctl disable-linger",
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
        "apt|apt-get|aptitude|dpkg|rpm|yum|dnf|zypper|tdnf|microdnf purge|remove|autoremove|erase !-s|--simulate|--dry-run|--just-print|--assumeno; dpkg -r|--remove|-P|--purge; rpm -e|--erase !--test; pacman|yay|paru @-R*; apk del; snap remove|revert; flatpak uninstall|remove; emerge -C|--unmerge|-c|--depclean !-p|--pretend; pkg delete|remove|autoremove; port uninstall; nix-collect-garbage -d|--delete-old; nix-store --gc|--delete; nix profile wipe-history; winget|choco|scoop uninstall|remove; brew uninstall|remove|rm|zap --force|--zap|--ignore-dependencies; xbps-remove; equo remove; rpm-ostree reset|uninstall",
        "removes software that others of this machine may need: let the user do it",
    ),
    // boot and kernel
    rule(
        "boot",
        Block,
        "grub-install|grub2-install|update-grub|grub-mkconfig|grub2-mkconfig|efibootmgr -B|-D|-o|--delete-bootnum; bootctl remove|install; grub-install|grub2-install *; bcdedit @/delete|/set|/deletevalue; bcdboot *; nvram -c|-d; lilo; extlinux --install",
        BOOT,
    ),
    rule(
        "kernel-module",
        Ask,
        "rmmod *; modprobe -r|--remove; kmod remove; sysctl -w|--write|--load|--system; sysctl ** @*=*; insmod *; kextunload *",
        "changes the running kernel: let the user do it",
    ),
    rule(
        "logs-delete",
        Ask,
        "journalctl --vacuum-time|--vacuum-size|--vacuum-files|--rotate; logrotate -f|--force; dmesg -C|--clear|-c|--read-clear; wevtutil cl|clear-log; history -c|-w; aureport --delete; log erase",
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
