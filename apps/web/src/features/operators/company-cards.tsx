import { formatPounds, pence } from '@portal/domain/money.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { HMRC_STATUS_LABELS } from './operator-companies-screen.tsx';
import type { CompanyData } from './company-tables.tsx';
import { ChangeLimit } from './change-limit.tsx';
import { VatNumberHolderNotice } from './move-vat-number.tsx';

type CompanyProps = { data: CompanyData };

export function ExposureCard({ data }: CompanyProps) {
  const { exposure_pence: exposure, limit_pence: limit } = data.exposure;
  return (
    <SectionCard title="Exposure">
      <Stack>
        <KeyFigure
          figure={formatPounds(exposure)}
          label={`Accepted and not yet repaid, out of a limit of ${formatPounds(limit)}`}
          details={exposure > limit ? 'Over the limit' : `${formatPounds(pence(limit - exposure))} available`}
          tone={exposure > limit ? 'error' : undefined}
        />
        <Progress percent={limit > 0 ? Math.min(100, (exposure / limit) * 100) : 100} label="Exposure against the limit" />
        <ChangeLimit company={data.company} limit={limit} />
      </Stack>
    </SectionCard>
  );
}

export function CompanyFacts({ data: { company } }: CompanyProps) {
  return (
    <SectionCard title="Company">
      <FactList
        facts={[
          { label: 'VAT number', value: company.vrn === null ? 'None' : formatVrn(company.vrn) },
          { label: 'Name at HMRC', value: company.vrn_registered_name ?? 'Not looked up yet' },
          { label: 'Company number', value: company.company_number ?? 'None' },
          {
            label: 'Companies House',
            value: company.register_status ? describeRegister(company.register_status, company.register_type) : 'Not looked up yet',
          },
          { label: 'Referred by', value: company.partner === ORGANIC_PARTNER ? 'No partner' : company.partner },
          { label: 'Added', value: <InstantText at={company.created_at} /> },
        ]}
      />
    </SectionCard>
  );
}

const COMPANY_TYPES: Readonly<Record<string, string>> = { ltd: 'private limited company', plc: 'public limited company', llp: 'LLP' };

/** Formats Companies House's codes for status and type, which are lower case with hyphens. */
function describeRegister(status: string, type: string | null): string {
  const words = `${status} ${COMPANY_TYPES[type ?? ''] ?? type ?? ''}`.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function HmrcCard({ data: { company, hmrc, obligations } }: CompanyProps) {
  const openObligations = obligations.filter(({ status }) => status === 'open');
  return (
    <SectionCard title="HMRC">
      <Stack>
        {company.vrn_holder && <VatNumberHolderNotice company={company} holder={company.vrn_holder} />}
        {hmrc ? (
          <FactList
            facts={[
              { label: 'Connection', value: HMRC_STATUS_LABELS[hmrc.status] ?? hmrc.status },
              { label: 'Permission ends', value: hmrc.permission_ends_at ? <InstantText at={hmrc.permission_ends_at} /> : '–' },
              { label: 'Last read', value: hmrc.figures_as_of ? <InstantText at={hmrc.figures_as_of} /> : 'Never' },
              {
                label: 'Open returns',
                value:
                  openObligations.length === 0
                    ? 'None'
                    : openObligations.map(({ due_on }) => `due ${formatDate(due_on, 'short')}`).join(', '),
              },
              { label: 'Returns filed', value: String(obligations.length - openObligations.length) },
            ]}
          />
        ) : (
          <Text>The company hasn’t connected HMRC.</Text>
        )}
      </Stack>
    </SectionCard>
  );
}

export function BankCard({ data }: CompanyProps) {
  const { collection_account: collection } = data;
  return (
    <SectionCard title="Bank accounts">
      <Stack>
        {data.bank_accounts.length === 0 && <Text>No bank account yet.</Text>}
        {data.bank_accounts.map((account, index) => (
          <div key={account.added_at}>
            <Text weight="medium">
              {account.account_holder}, {formatSortCode(account.sort_code)}, ending {account.account_number_end}
            </Text>
            <Text size="small" tone="quiet">
              {index === 0 ? 'Payouts go here' : 'Replaced'} · added <InstantText at={account.added_at} />
            </Text>
          </div>
        ))}
        {collection && (
          <div>
            <Text weight="medium">
              Collection account: {formatSortCode(collection.sort_code)}, {collection.account_number}
            </Text>
            <Text size="small" tone="quiet">
              HMRC repays here · opened <InstantText at={collection.opened_at} />
            </Text>
          </div>
        )}
      </Stack>
    </SectionCard>
  );
}
