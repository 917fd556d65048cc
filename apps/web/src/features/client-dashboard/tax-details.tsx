/** The details below the cards: a year at a time for taxes with many periods, and all periods for the rest. */
import { positionsApi } from '@portal/contract/positions.ts';
import { toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changeSearchParams, useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { Select } from '../../ui/input.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { ChargesAndPayments } from './charges-and-payments.tsx';
import { toClientInput, type ClientIds, type TaxFigures } from './client-page.ts';
import { PERIOD_COLUMNS } from './figure-cells.tsx';
import { PayeMonths } from './paye-months.tsx';
import { SelfAssessmentYears } from './self-assessment-years.tsx';
import { SmallTable } from './small-table.tsx';
import { VatYear } from './vat-year.tsx';

type TaxDetailsProps = { ids: ClientIds; taxes: readonly TaxFigures['tax'][]; today: PlainDate };

export function TaxDetails({ ids, taxes, today }: TaxDetailsProps) {
  const { year, years, pick } = useYear(ids, taxes, today);
  const hasTax = (tax: TaxFigures['tax']): boolean => taxes.includes(tax);
  const yearLabel = formatTaxYear(year);
  return (
    <>
      {(hasTax('vat') || hasTax('paye')) && (
        <Row>
          <Text as="label" htmlFor="tax-year" weight="medium">
            Year starting April
          </Text>
          <Select id="tax-year" small widthInCharacters={12} value={yearLabel} onChange={(event) => pick(event.target.value)}>
            {years.map((year) => (
              <option key={year} value={formatTaxYear(year)}>
                {year} to {year + 1}
              </option>
            ))}
          </Select>
        </Row>
      )}
      {hasTax('vat') && <VatYear ids={ids} year={yearLabel} />}
      {hasTax('paye') && <PayeMonths ids={ids} year={yearLabel} />}
      {hasTax('ct') && <CorporationTaxPeriods ids={ids} />}
      {hasTax('sa') && <SelfAssessmentYears ids={ids} />}
      {taxes.map((tax) => (
        <ChargesAndPayments key={tax} ids={ids} tax={tax} />
      ))}
    </>
  );
}

function CorporationTaxPeriods({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(positionsApi.corpPeriods, toClientInput(ids)));
  return (
    <SectionCard title="Corporation tax: accounting periods">
      <LoadState query={query} skeleton={<TableSkeleton rows={3} />}>
        {({ periods }) =>
          periods.length === 0 ? (
            <Text tone="quiet">No periods yet.</Text>
          ) : (
            <SmallTable
              label="Corporation tax, periods"
              columns={PERIOD_COLUMNS}
              rows={periods}
              getKey={(row) => row.key}
              getSource={(row) => row}
            />
          )
        }
      </LoadState>
    </SectionCard>
  );
}

/** Returns the year chosen in the URL, or the current one. The list starts with the earliest year that has data. */
function useYear(ids: ClientIds, taxes: readonly TaxFigures['tax'][], today: PlainDate) {
  const [search, setSearch] = useSearchParams();
  const input = toClientInput(ids);
  const vat = useQuery({
    ...apiQuery(positionsApi.vatMinimumYear, input),
    enabled: taxes.includes('vat'),
    placeholderData: keepPreviousData,
  });
  const paye = useQuery({
    ...apiQuery(positionsApi.payeMinimumYear, input),
    enabled: taxes.includes('paye'),
    placeholderData: keepPreviousData,
  });
  const current = getTaxYear(today);
  const requestedYear = Number(/^(\d{4})(-\d{2})?$/.exec(search.get('tax_year') ?? '')?.[1] ?? current);
  const year = requestedYear < 1990 || requestedYear > current + 1 ? current : requestedYear;
  const first = Math.min(year, current, vat.data?.minimum_year ?? current, paye.data?.minimum_year ?? current);
  const last = Math.max(year, current);
  return {
    year,
    years: Array.from({ length: last - first + 1 }, (_, index) => last - index),
    pick: (text: string): void =>
      setSearch((previous) => changeSearchParams(previous, { tax_year: text }), { replace: true, preventScrollReset: true }),
  };
}

/** January to March count towards the previous year (docs/product/specification.md section 9). */
function getTaxYear(date: PlainDate): number {
  const { year, month } = toDateParts(date);
  return month >= 4 ? year : year - 1;
}

/** Formats, for example, "2025-26". */
const formatTaxYear = (year: number): string => `${year}-${String((year + 1) % 100).padStart(2, '0')}`;
