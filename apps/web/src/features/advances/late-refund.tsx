/** What a trader can do about a late refund: look at HMRC's own tracker, reply to HMRC, and refresh its figures here. */
import { advancesApi } from '@portal/contract/advances.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';

const CHANGED_QUERIES = [advancesApi.find.path, shortfallsApi.find.path, dashboardApi.get.path];

/** Software can't see the stage of a claim, only HMRC's tracker shows it (docs/reference/hmrc.md section 8). */
export function LateRefund({ companyId }: { companyId: string }) {
  const queryClient = useQueryClient();
  const refresh = useMutation({
    mutationFn: () => apiRequest(dashboardApi.refresh, { company_id: companyId }),
    onSettled: () => Promise.all(CHANGED_QUERIES.map((path) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
  return (
    <Stack gap={8} align="start">
      <Text measure>
        HMRC often checks a claim before it repays. To see how far it is, sign in to your VAT account on HMRC’s website and track the
        repayment there. If HMRC has asked you a question, reply to it first. You already have your money, so you don’t lose out.
      </Text>
      <Text measure>HMRC’s figures may also show why: for example, that your refund has been reduced.</Text>
      <NeedsRight companyId={companyId} access="company.prepare">
        <Button variant="outlined" onClick={() => refresh.mutate()} isBusy={refresh.isPending}>
          {refresh.isPending ? 'Refreshing' : 'Refresh from HMRC'}
        </Button>
      </NeedsRight>
      <Text role="status" size="small" tone="quiet">
        {refresh.isPending ? '' : describeResult(refresh.data, refresh.error)}
      </Text>
    </Stack>
  );
}

/** Once the figures show why, this part is replaced by the reason. */
function describeResult(data: { status: string; message: string } | undefined, error: Error | null): string {
  if (error !== null) return getErrorText(error);
  if (data === undefined) return '';
  return data.status === 'refreshed' ? 'Refreshed. HMRC’s figures don’t show why it’s late.' : data.message;
}
