import { companyWebhooksApi, webhooksApi } from '@portal/contract/webhooks.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';

/** Returns the endpoints of a practice or a trader's company. Both have the same shapes. */
export function getWebhookCalls(endpointKind: 'practice' | 'company'): typeof webhooksApi {
  return endpointKind === 'practice' ? webhooksApi : (companyWebhooksApi as unknown as typeof webhooksApi);
}

/** Makes a change, then refetches the endpoints and deliveries. */
export function useWebhookAction<Answer, Input = void>(send: (input: Input) => Promise<Answer>, onDone?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => onDone?.(),
    onSettled: () =>
      Promise.all(
        [webhooksApi, companyWebhooksApi].flatMap(({ list, deliveries }) =>
          [list, deliveries].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
        ),
      ),
  });
}
