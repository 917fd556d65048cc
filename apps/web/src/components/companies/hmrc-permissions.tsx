import { Grid, Stack } from '../../ui/layout.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { Heading } from '../../ui/text.tsx';

const ALLOWED = [
  'See your VAT periods: which returns are due and which HMRC has received',
  'See the returns you’ve filed, and the VAT you owe or have paid',
  'File a return, only when you tell us to',
];
const NOT_ALLOWED = [
  'See your Government Gateway user ID or password',
  'See other taxes: PAYE, corporation tax or Self Assessment',
  'See or change the bank details HMRC holds',
];

type HmrcPermissionsProps = { allowed?: readonly string[]; notAllowed?: readonly string[] };

/** What the HMRC connection lets us see and do, and what it doesn't. By default, a trader's connection. */
export function HmrcPermissions({ allowed = ALLOWED, notAllowed = NOT_ALLOWED }: HmrcPermissionsProps) {
  return (
    <Grid minColumn={240} gap={24}>
      <Stack gap={8}>
        <Heading level={2} size="part">
          What we can do
        </Heading>
        <PointList points={allowed} />
      </Stack>
      <Stack gap={8}>
        <Heading level={2} size="part">
          What we can’t do
        </Heading>
        <PointList points={notAllowed} icon="close" tone="error" />
      </Stack>
    </Grid>
  );
}
