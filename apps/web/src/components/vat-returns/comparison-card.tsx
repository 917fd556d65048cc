/** Compares the main figures with the previous return and the one a year earlier. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { StackedAmounts } from '../../ui/stacked-amounts.tsx';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../../lib/use-media-query.ts';

const TITLE = 'Compared with earlier returns';
const SOURCE_NOTE = 'Earlier returns: figures from HMRC.';

const COMPARISON_NAMES = { previous: 'Previous period', year_ago: 'A year earlier' } as const;

const COMPARED_LINES: readonly { readonly name: string; readonly getPence: (boxes: NineBoxesOutput) => number }[] = [
  { name: 'VAT on sales', getPence: ({ box3_pence }) => box3_pence },
  { name: 'VAT reclaimed', getPence: ({ box4_pence }) => box4_pence },
  { name: 'Sales', getPence: ({ box6_pounds }) => box6_pounds * 100 },
  { name: 'Purchases', getPence: ({ box7_pounds }) => box7_pounds * 100 },
];

function formatNet({ box5_pence, direction }: NineBoxesOutput): string {
  if (direction === 'nil') return 'Nothing due';
  return `${direction === 'repayment' ? 'Refund' : 'To pay'} ${formatPounds(box5_pence)}`;
}

export function ComparisonCard({ data, boxes }: { data: VatReturnOutput; boxes: NineBoxesOutput }) {
  const isStacked = useMediaQuery(CARD_LAYOUT_QUERY);
  // A period in progress can't be compared with complete ones.
  if (data.earlier.length === 0 || data.obligation.state === 'open_running') return null;
  const columns = [{ key: 'this', name: 'This return', end: data.obligation.period_end, boxes }].concat(
    data.earlier.map((earlierReturn) => ({
      key: earlierReturn.which,
      name: COMPARISON_NAMES[earlierReturn.which],
      end: earlierReturn.period_end,
      boxes: earlierReturn.boxes,
    })),
  );
  const lines = [
    ...COMPARED_LINES.map(({ name, getPence }) => ({
      name,
      getText: (boxFigures: NineBoxesOutput) => formatPounds(pence(getPence(boxFigures))),
    })),
    { name: 'Result', getText: formatNet },
  ];
  if (isStacked) {
    return (
      <SectionCard title={TITLE} source={SOURCE_NOTE}>
        <StackedAmounts
          label={TITLE}
          stacks={lines.map(({ name, getText }) => ({
            key: name,
            title: name,
            lines: columns.map((column) => ({
              name: `${column.name}, to ${formatDate(column.end, 'short')}`,
              value: getText(column.boxes),
              strong: column.key === 'this',
            })),
          }))}
        />
      </SectionCard>
    );
  }
  return (
    <SectionCard title={TITLE} source={SOURCE_NOTE}>
      <Table label={TITLE} flush>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {columns.map(({ key, name, end }) => (
              <th key={key} scope="col" data-numeric>
                {name}
                <br />
                to {formatDate(end, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, getText }) => (
            <tr key={name}>
              <th scope="row" data-nowrap>
                {name}
              </th>
              {columns.map((column) => (
                <td key={column.key} data-numeric>
                  {getText(column.boxes)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </SectionCard>
  );
}
