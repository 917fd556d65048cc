/** Builds the receipt of a return filed through us, with HMRC's complete response. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence, type WholePounds } from '@portal/domain/money.ts';
import { formatPeriod } from '@portal/domain/plain-date.ts';
import { BOX_TITLES } from '@portal/domain/vat-returns/box-titles.ts';
import { describePaymentIndicator, formatProcessingDate } from '@portal/domain/vat-returns/receipt-texts.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { Site } from '../../app-deps.ts';
import {
  describeSender,
  createFacts,
  createHeading,
  createParagraph,
  createMutedParagraph,
  type PrintedDocument,
  type DocumentBlock,
} from './printed-document.ts';

type Receipt = NonNullable<VatReturnOutput['receipt']>;
type Boxes = NonNullable<VatReturnOutput['boxes']>;

export type FiledReturn = { readonly obligation: VatReturnOutput['obligation']; readonly boxes: Boxes; readonly receipt: Receipt };

export function createReceiptDocument(
  site: Site,
  company: { name: string; vrn: string | null },
  filedReturn: FiledReturn,
): PrintedDocument {
  const { obligation, boxes, receipt } = filedReturn;
  const period = formatPeriod(obligation.period_start, obligation.period_end);
  return {
    brand: site.brand,
    title: 'VAT return receipt',
    lead: `${company.name} · ${period}`,
    subject: `Receipt for ${company.name}’s VAT return for ${period}`,
    createdAt: receipt.received_at,
    blocks: [
      createHeading('Return'),
      createFacts([
        ['VAT number', company.vrn === null ? 'Not known' : formatVrn(company.vrn)],
        ['Result', describeResult(boxes)],
        ['Filed by', `${receipt.filed_by}, with ${site.brand}`],
      ]),
      createHeading('HMRC’s receipt'),
      createFacts(listHmrcFacts(receipt)),
      createHeading('Figures as filed'),
      createBoxesTable(boxes),
      createHeading('Declaration'),
      createParagraph(receipt.declaration),
      createMutedParagraph('Keep your VAT records for at least 6 years (VAT Notice 700/21).'),
    ],
    footer: describeSender(site),
  };
}

function describeResult({ direction, box5_pence: amount }: Boxes): string {
  if (direction === 'nil') return 'Nothing to pay or reclaim';
  return direction === 'repayment' ? `HMRC owes you ${formatPounds(amount)}` : `You owe HMRC ${formatPounds(amount)}`;
}

function listHmrcFacts(receipt: Receipt): [string, string][] {
  const isReadBack = receipt.source === 'read_back';
  const rows: [string, string][] = [[isReadBack ? 'Found at HMRC' : 'Received by HMRC', formatInstant(receipt.received_at)]];
  if (isReadBack) {
    rows.push(
      ['How we know', 'HMRC’s response was lost. We checked your HMRC account and found this return there, with these figures.'],
      ['Receipt number', 'Not available, because HMRC provides it only once'],
    );
  }
  if (receipt.form_bundle_number !== null) rows.push(['Form bundle number', receipt.form_bundle_number]);
  if (receipt.processing_date !== null) rows.push(['Processing date', formatProcessingDate(receipt.processing_date)]);
  if (receipt.receipt_id !== null) rows.push(['Receipt ID', receipt.receipt_id]);
  if (receipt.charge_ref_number !== null) rows.push(['Charge reference', receipt.charge_ref_number]);
  if (receipt.payment_indicator !== null) rows.push(['How it’s paid', describePaymentIndicator(receipt.payment_indicator)]);
  return rows;
}

function createBoxesTable(boxes: Boxes): DocumentBlock {
  const values = [
    ...[boxes.box1_pence, boxes.box2_pence, boxes.box3_pence, boxes.box4_pence, boxes.box5_pence].map(formatPounds),
    ...[boxes.box6_pounds, boxes.box7_pounds, boxes.box8_pounds, boxes.box9_pounds].map(formatWholePounds),
  ];
  return {
    kind: 'table',
    columns: [
      { title: 'Box', share: 0.08 },
      { title: 'Name', share: 0.72 },
      { title: 'Amount', share: 0.2, align: 'right' },
    ],
    rows: Object.values(BOX_TITLES).map((title, index) => ({
      cells: [String(index + 1), title, values[index] ?? ''],
      isTotal: index === 4,
    })),
  };
}

/** Boxes 6 to 9 are in whole pounds (VAT Notice 700/12). */
function formatWholePounds(amount: WholePounds): string {
  return formatPounds(pence(amount * 100)).replace(/\.00$/, '');
}
