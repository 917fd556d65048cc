/** The user's own notifications in a practice, newest first. */
import { NOTIFICATIONS_PAGE_SIZE, staffNotificationsApi, type StaffNotification } from '@portal/contract/staff-notifications.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function StaffNotificationsScreen() {
  const { companyId } = useCompanyId();
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const from = Math.max(0, Number.parseInt(params.get('from') ?? '0', 10) || 0);
  const isUnreadOnly = params.get('unread') === '1';
  const input = { company_id: companyId, from, ...(isUnreadOnly ? { only_unread: '1' as const } : {}) };
  const query = useQuery({ ...apiQuery(staffNotificationsApi.list, input), enabled: companyId !== '' });
  const markRead = useMutation({
    mutationFn: () => apiRequest(staffNotificationsApi.markRead, { company_id: companyId }),
    onSettled: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(staffNotificationsApi.list.path) }),
  });
  const show = (next: Record<string, string>) => setParams({ company_id: companyId, ...next });
  const unread = isUnreadOnly ? { unread: '1' } : undefined;
  const settings = `${getSettingsPath('notifications')}?${new URLSearchParams({ company_id: companyId })}`;
  return (
    <PracticePage title="Notifications" lead="Your notifications from the last 90 days.">
      <Stack>
        <Row justify="between">
          <Checkbox label="Unread only" checked={isUnreadOnly} onChange={({ target }) => show(target.checked ? { unread: '1' } : {})} />
          <Row>
            <TextLink to={settings}>Choose what you get</TextLink>
            <Button
              size="small"
              variant="outlined"
              disabled={(query.data?.unread ?? 0) === 0}
              isBusy={markRead.isPending}
              onClick={() => markRead.mutate()}
            >
              Mark all as read
            </Button>
          </Row>
        </Row>
        {markRead.error !== null && (
          <Notice tone="error" title="Your notifications weren’t marked as read" role="alert">
            {getErrorText(markRead.error)}
          </Notice>
        )}
        <LoadState query={query} skeleton={<TableSkeleton />}>
          {({ notifications, has_more: hasMore }) => (
            <SectionCard>
              {notifications.length === 0 ? (
                <EmptyState
                  illustration={<NothingToReviewIllustration />}
                  title={isUnreadOnly ? 'No unread notifications' : 'No notifications yet'}
                  text="When something happens with your clients or tasks, it appears here."
                />
              ) : (
                <Stack as="ul" gap={16}>
                  {notifications.map((notification) => (
                    <Item key={notification.notification_id} notification={notification} />
                  ))}
                </Stack>
              )}
              {(from > 0 || hasMore) && (
                <Row justify="between">
                  <Button
                    variant="outlined"
                    size="small"
                    disabled={from === 0}
                    onClick={() => show({ ...unread, from: String(Math.max(0, from - NOTIFICATIONS_PAGE_SIZE)) })}
                  >
                    Newer
                  </Button>
                  <Button
                    variant="outlined"
                    size="small"
                    disabled={!hasMore}
                    onClick={() => show({ ...unread, from: String(from + NOTIFICATIONS_PAGE_SIZE) })}
                  >
                    Older
                  </Button>
                </Row>
              )}
            </SectionCard>
          )}
        </LoadState>
      </Stack>
    </PracticePage>
  );
}

function Item({ notification: { title, path, kind, at, is_read: isRead } }: { notification: StaffNotification }) {
  return (
    <Stack as="li" gap={4}>
      <Row gap={8}>
        <TextLink to={path}>{title}</TextLink>
        {!isRead && <StateChip label="New" icon="info" tone="info" />}
      </Row>
      <Text size="small" tone="quiet">
        {NOTIFICATION_KIND_FACTS[kind].label}, <InstantText at={at} />
      </Text>
    </Stack>
  );
}
