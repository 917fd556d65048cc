/** Prices and assesses the refund again. The new offer replaces the current one. */
import { advancesApi } from '@portal/contract/advances.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/text.tsx';

type RequoteButtonProps = { companyId: string; obligationId: string; label: string };

export function RequoteButton({ companyId, obligationId, label }: RequoteButtonProps) {
  const queryClient = useQueryClient();
  const quote = useMutation({
    mutationFn: () => apiRequest(advancesApi.quote, { company_id: companyId, obligation_id: obligationId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  const message = quote.error ? getErrorText(quote.error) : quote.data && quote.data.advance === null ? quote.data.reason : null;
  return (
    <>
      <Button onClick={() => quote.mutate()} isBusy={quote.isPending}>
        {label}
      </Button>
      <Text role="alert" tone="error" weight="medium">
        {message}
      </Text>
    </>
  );
}
