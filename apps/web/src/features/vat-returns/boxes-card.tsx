/** The nine boxes with HMRC's names. Seven open their transactions; two say how they are calculated. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { BOX_NAMES, openableBox, type BoxName, type OpenableBox } from '../../lib/box-names.ts';

type BoxesCardProps = { data: VatReturnOutput; boxes: NineBoxesOutput; openTransactions: (box: OpenableBox) => void };

export function BoxesCard({ data, boxes, openTransactions }: BoxesCardProps) {
  const running = data.obligation.state === 'open_running';
  return (
    <SectionCard title="The nine boxes" source={<Source data={data} />}>
      <KeyFigure
        figure={formatPounds(boxes.box5_pence)}
        label={(running ? PROVISIONAL_DIRECTION_LABELS : DIRECTION_LABELS)[boxes.direction]}
        details="Box 5, the difference between boxes 3 and 4"
      />
      <Box component="ul" aria-label="The nine boxes" sx={{ listStyle: 'none', m: 0, p: 0, mt: 2 }}>
        {BOX_NAMES.map((box) => (
          <BoxRow key={box.number} box={box} boxes={boxes} openTransactions={data.rows > 0 ? openTransactions : undefined} />
        ))}
      </Box>
    </SectionCard>
  );
}

function formatBoxAmount(box: BoxName, boxes: NineBoxesOutput): string {
  const amount = boxes[box.field];
  // Boxes 6 to 9 are whole pounds (VAT Notice 700/12), shown without pence as HMRC does.
  return box.unit === 'pence' ? formatPounds(pence(amount)) : formatPounds(pence(amount * 100)).replace(/\.00$/, '');
}

type BoxRowProps = { box: BoxName; boxes: NineBoxesOutput; openTransactions: ((box: OpenableBox) => void) | undefined };

function BoxRow({ box, boxes, openTransactions }: BoxRowProps) {
  const openable = openableBox(box);
  const isTotal = box.number === '3' || box.number === '5';
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '56px minmax(0, 1fr) 104px 136px', lg: '64px minmax(0, 1fr) 180px 160px' },
        columnGap: 2,
        rowGap: 0.5,
        alignItems: 'center',
        py: 1.5,
        minHeight: 60,
        borderTop: 1,
        borderColor: 'divider',
        fontWeight: isTotal ? 600 : 400,
      }}
    >
      <Box component="span" sx={{ fontWeight: 600, color: 'text.secondary' }}>
        Box {box.number}
      </Box>
      <Box component="span" sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, gridRow: { xs: 2, sm: 'auto' }, maxWidth: '68ch' }}>
        {box.name}
        {box.computed === undefined ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {box.computed}
          </Typography>
        )}
      </Box>
      <Box
        component="span"
        sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums', fontWeight: isTotal ? 600 : 500, whiteSpace: 'nowrap' }}
      >
        {formatBoxAmount(box, boxes)}
      </Box>
      <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, justifySelf: { xs: 'start', sm: 'end' }, textAlign: { sm: 'right' } }}>
        {openable !== null && openTransactions ? (
          <Button variant="text" size="small" sx={{ px: { xs: 0, sm: 1 } }} onClick={() => openTransactions(openable)}>
            See transactions
            <Box component="span" sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }}>
              {' '}
              of box {box.number}
            </Box>
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}

function Source({ data }: { data: VatReturnOutput }) {
  if (!data.source) return <>{data.obligation.status === 'fulfilled' ? 'As HMRC holds the return.' : ''}</>;
  const count = `${data.rows.toLocaleString('en-GB')} ${data.rows === 1 ? 'transaction' : 'transactions'}`;
  return (
    <>
      {count} in {data.source.file_name}, added <InstantText at={data.source.applied_at} />. Boxes 6 to 9 are rounded to whole pounds.
    </>
  );
}
