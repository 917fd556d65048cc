/** Uploads a statement. Once validated, it waits on the page to be applied. */
import { MAX_STATEMENT_BYTES, TAX_STATEMENTS_PATH, taxStatementsApi, type TaxStatement } from '@portal/contract/tax-statements.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useStatementUpload(companyId: string, tax: TaxStatement['tax_type']) {
  const queryClient = useQueryClient();
  return useFileUpload({
    path: TAX_STATEMENTS_PATH,
    query: { company_id: companyId, tax_type: tax, hold: '1' },
    maxFileBytes: MAX_STATEMENT_BYTES,
    tooLargeAdvice: 'Split the file by client.',
    unchangedText: 'No figures have changed.',
    onUploaded: () => queryClient.invalidateQueries({ queryKey: [taxStatementsApi.list.path] }),
  });
}
