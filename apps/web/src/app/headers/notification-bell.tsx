/** The bell on every practice page: the number of unread notifications, and the newest of them. */
import { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { MenuEntry } from '../../ui/menu-entry.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import styles from './notification-bell.module.css';

const POLL_MS = 60_000;
const MAX_SHOWN = 8;
/** The server doesn't count beyond this. */
const MAX_COUNT = 99;

export function NotificationBell({ companyId }: { companyId: string }) {
  const queryClient = useQueryClient();
  const input = { company_id: companyId };
  const unreadQuery = useQuery({ ...apiQuery(staffNotificationsApi.unread, input), refetchInterval: POLL_MS });
  const list = useQuery({ ...apiQuery(staffNotificationsApi.list, input), enabled: false });
  const markRead = useMutation({
    mutationFn: (ids: string[]) => apiRequest(staffNotificationsApi.markRead, { ...input, notification_ids: ids }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [staffNotificationsApi.unread.path] }),
  });
  // The notifications shown are marked as read, but keep their mark until the menu is next opened.
  const open = async () => {
    const { data } = await list.refetch();
    const ids = (data?.notifications ?? []).slice(0, MAX_SHOWN).flatMap(({ notification_id: id, is_read: isRead }) => (isRead ? [] : [id]));
    if (ids.length > 0) markRead.mutate(ids);
  };
  const count = unreadQuery.data?.unread ?? 0;
  const countText = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
  return (
    <MenuButton
      label={count === 0 ? 'Notifications' : `Notifications, ${countText} unread`}
      icon={
        <span className={styles.bell}>
          <Icon name="bell" />
          {count > 0 && <span className={styles.count}>{countText}</span>}
        </span>
      }
      onOpen={() => void open()}
      top={listEntries(list.data?.notifications ?? [], { isLoading: list.isFetching && list.data === undefined, isFailed: list.isError })}
      bottom={[
        { label: 'All notifications', to: getPageLink('staffNotifications', input) },
        { label: 'Notification settings', to: `${getSettingsPath('notifications')}?${new URLSearchParams(input)}` },
      ]}
    />
  );
}

type ShownNotification = { readonly title: string; readonly path: string; readonly is_read: boolean };

function listEntries(
  notifications: readonly ShownNotification[],
  { isLoading, isFailed }: { isLoading: boolean; isFailed: boolean },
): MenuEntry[] {
  const createNote = (label: string): MenuEntry[] => [{ label, onChoose: () => undefined, disabled: true }];
  if (isLoading) return createNote('Loading…');
  if (isFailed) return createNote('We couldn’t load your notifications');
  if (notifications.length === 0) return createNote('No notifications yet');
  // Menu labels must be unique.
  return [...new Map(notifications.slice(0, MAX_SHOWN).map((item) => [item.title, item])).values()].map(
    ({ title, path, is_read: isRead }) => ({
      label: title,
      to: path,
      ...(isRead ? {} : { badge: <StateChip label="New" icon="info" tone="info" /> }),
    }),
  );
}
