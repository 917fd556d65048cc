import { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { ClientIds } from './client-page.ts';

/** Turns notifications about this client on or off for the current user only. */
export function MuteAction({ companyId, clientId }: ClientIds) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const input = { company_id: companyId };
  const { data, isError } = useQuery(apiQuery(staffNotificationsApi.choices, input));
  const isMuted = data?.muted.some(({ client_id: id }) => id === clientId) ?? false;
  const save = useMutation({
    mutationFn: () => apiRequest(staffNotificationsApi.mute, { ...input, client_id: clientId, is_muted: !isMuted }),
    onSuccess: () =>
      toast('success', isMuted ? 'You’ll get notifications about this client again' : 'You won’t get notifications about this client'),
    onError: (error) => toast('error', getErrorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [staffNotificationsApi.choices.path] }),
  });
  if (isError && data === undefined) return null;
  // It keeps its place while loading, because the actions before it would move under the pointer.
  return (
    <Button size="small" variant="text" disabled={data === undefined} isBusy={save.isPending} onClick={() => save.mutate()}>
      {isMuted ? 'Unmute notifications' : 'Mute notifications'}
    </Button>
  );
}
