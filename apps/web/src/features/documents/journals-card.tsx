/** Journals for the trader's own books: choosing the software and accounts, and downloading the file. */
import { documentsApi, JOURNALS_FILE_PATH } from '@portal/contract/documents.ts';
import { formatDate, parsePlainDate } from '@portal/domain/plain-date.ts';
import { JOURNAL_SOFTWARE, type JournalAccountNames, type JournalSoftware } from '@portal/domain/ledger/journal-files.ts';
import type { JournalAccount } from '@portal/domain/ledger/trader-journals.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FieldFrame, FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Select } from '../../ui/input.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { getPeriodError, type ChosenPeriod } from './period-fields.tsx';
import type { AccountPartProps } from './statement-card.tsx';

const SOFTWARE_NAMES: Readonly<Record<JournalSoftware, string>> = { xero: 'Xero', quickbooks: 'QuickBooks', freeagent: 'FreeAgent' };

/** How to import the file, according to each software's documentation. */
const INSTRUCTIONS: Readonly<Record<JournalSoftware, string>> = {
  xero: 'In Xero, open Manual journals, choose Import and upload the file. The journals arrive as drafts.',
  quickbooks:
    'In QuickBooks, open Import data, choose Journal entries and upload the file. Add new accounts to your chart of accounts first.',
  freeagent:
    'FreeAgent doesn’t import journals from a file. Enter them under Accounting, Journal Entries: the file has the same fields as that form.',
};

export function JournalsCard({ data, companyId, period }: AccountPartProps) {
  const [software, setSoftware] = useState<JournalSoftware>('xero');
  const { session } = useSession();
  const isOperator = session.status === 'signed_in' && session.person.is_operator === true;
  const name = SOFTWARE_NAMES[software];
  return (
    <SectionCard title="Journals for your books">
      <Stack>
        <Text measure>
          The advance, our fee and HMRC’s repayment as balanced journals for the period chosen above
          {describePeriod(period)}.
        </Text>
        <FieldFrame id="journal-software" label="Bookkeeping software">
          <Select
            id="journal-software"
            widthInCharacters={16}
            value={software}
            onChange={({ target }) => setSoftware(JOURNAL_SOFTWARE.find((known) => known === target.value) ?? 'xero')}
          >
            {JOURNAL_SOFTWARE.map((known) => (
              <option key={known} value={known}>
                {SOFTWARE_NAMES[known]}
              </option>
            ))}
          </Select>
        </FieldFrame>
        {getPeriodError(period, data.account.today) === undefined && (
          <Stack gap={8} align="start">
            <DownloadButton
              path={JOURNALS_FILE_PATH}
              query={{ company_id: companyId, ...period, software }}
              label={`Download journals for ${name} (CSV)`}
              name={`Download journals for ${name} (CSV)`}
            />
            <Text size="small" tone="quiet" measure>
              {INSTRUCTIONS[software]}
            </Text>
          </Stack>
        )}
        {!isOperator && (
          <AccountsForm
            key={`${software} ${JSON.stringify(data.journal_accounts[software])}`}
            companyId={companyId}
            software={software}
            accounts={data.journal_accounts[software]}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function describePeriod({ from, to }: ChosenPeriod): string {
  const [first, last] = [parsePlainDate(from), parsePlainDate(to)];
  if (first === undefined || last === undefined) return '';
  return first === last ? `, ${formatDate(first)}` : `, ${periodText(first, last)}`;
}

type AccountsFormProps = { companyId: string; software: JournalSoftware; accounts: JournalAccountNames };

function AccountsForm({ companyId, software, accounts }: AccountsFormProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const form = useContractForm<typeof documentsApi.saveJournalAccounts, Record<keyof JournalAccountNames, string>>(
    documentsApi.saveJournalAccounts,
    {
      defaults: accounts,
      fixed: { company_id: companyId, software },
      idPrefix: 'journal-account',
      send: async (input) => {
        await apiRequest(documentsApi.saveJournalAccounts, input);
        toast('success', 'Accounts saved');
        await queryClient.invalidateQueries({ queryKey: [documentsApi.list.path] });
      },
    },
  );
  const fieldName = software === 'xero' ? 'code' : 'name';
  return (
    <Stack gap={12}>
      <Heading level={3} size="part">
        Accounts in {SOFTWARE_NAMES[software]}
      </Heading>
      <FormPanel form={form} submitLabel="Save accounts" busyLabel="Saving…">
        <Grid minColumn={280} gap={16} align="end">
          {FIELDS.map(({ name, label, hint }) => (
            <FormField key={name} form={form} name={name} label={`${label} (${fieldName})`} hint={hint} widthInCharacters={30} />
          ))}
        </Grid>
      </FormPanel>
    </Stack>
  );
}

const FIELDS: readonly { readonly name: JournalAccount; readonly label: string; readonly hint: string }[] = [
  { name: 'advances', label: 'Advances', hint: 'A current liability. Its balance matches your statement.' },
  {
    name: 'clearing',
    label: 'Bank clearing',
    hint: 'Code our payment on your bank statement to this account. Xero and FreeAgent don’t allow journals on bank accounts.',
  },
  { name: 'fee', label: 'Our fee', hint: 'An expense' },
  { name: 'vat', label: 'VAT owed by HMRC', hint: 'The account your filed return left the refund in' },
  { name: 'other_income', label: 'Other income', hint: 'Only if we write off a shortfall' },
];
