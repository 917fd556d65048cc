import type { Pence } from '@portal/domain/money.ts';
import { pence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { IntegerInput } from '../../ui/integer-input.tsx';
import { MoneyInput } from '../../ui/money-input.tsx';
import { Sample, Samples, Section } from './section.tsx';

export function FormSamples() {
  const [empty, setEmpty] = useState<Pence>();
  const [amount, setAmount] = useState<Pence | undefined>(pence(123_456));
  const [missing, setMissing] = useState<Pence>();
  const [count, setCount] = useState<number>();
  const [days, setDays] = useState<number | undefined>(30);
  return (
    <>
      <Section
        id="money-input"
        title="Money input"
        lead="Pounds and pence, written out with every key; empty where the amount is 0 or less."
      >
        <Samples>
          <Sample name="Empty">
            <MoneyInput id="money-empty" label="Amount" value={empty} onChange={setEmpty} />
          </Sample>
          <Sample name="Filled, optional">
            <MoneyInput id="money-filled" label="Adjustment" optional value={amount} onChange={setAmount} />
          </Sample>
          <Sample name="With an error">
            <MoneyInput id="money-wrong" label="Limit" error="Enter the limit" value={missing} onChange={setMissing} />
          </Sample>
        </Samples>
      </Section>
      <Section
        id="integer-input"
        title="Integer input"
        lead="Blank stays blank. What is no number does not enter the field, and is only logged."
      >
        <Samples>
          <Sample name="Empty">
            <IntegerInput id="integer-empty" label="Clients" hint="How many you look after" value={count} onChange={setCount} />
          </Sample>
          <Sample name="Filled, with an error">
            <IntegerInput id="integer-wrong" label="Days" error="Choose at most 28 days" value={days} onChange={setDays} />
          </Sample>
        </Samples>
      </Section>
      <DebounceSample />
    </>
  );
}

function DebounceSample() {
  const [typed, setTyped] = useState('');
  const settled = useDebouncedText(typed);
  return (
    <Section id="debounce" title="Debounce" lead="What is searched for while somebody types: the text once it rests for 166 ms.">
      <Samples>
        <Sample name="Type something">
          <FieldFrame id="debounced" label="Company name">
            <OutlinedInput id="debounced" fullWidth value={typed} onChange={({ target }) => setTyped(target.value)} />
          </FieldFrame>
          <Typography variant="body2">
            Searched for:{' '}
            <Box component="output" htmlFor="debounced" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {settled === '' ? 'nothing yet' : settled}
            </Box>
          </Typography>
        </Sample>
      </Samples>
    </Section>
  );
}
