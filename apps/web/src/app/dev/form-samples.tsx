import type { Pence } from '@portal/domain/money.ts';
import { pence } from '@portal/domain/money.ts';
import { useState } from 'react';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { IntegerInput } from '../../ui/integer-input.tsx';
import { MoneyInput } from '../../components/formats/money-input.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { Text } from '../../ui/text.tsx';
import { Sample, Samples, Section } from './section.tsx';

export function FormSamples() {
  const [empty, setEmpty] = useState<Pence>();
  const [amount, setAmount] = useState<Pence | undefined>(pence(123_456));
  const [missing, setMissing] = useState<Pence>();
  const [count, setCount] = useState<number>();
  const [days, setDays] = useState<number | undefined>(30);
  return (
    <>
      <Section id="money-input" title="Money input" lead="Pounds and pence, formatted as you type. Empty if the amount is 0 or less.">
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
        lead="A blank field stays blank. Anything that isn’t a number is ignored and logged."
      >
        <Samples>
          <Sample name="Empty">
            <IntegerInput id="integer-empty" label="Clients" hint="How many clients you act for" value={count} onChange={setCount} />
          </Sample>
          <Sample name="Filled, with an error">
            <IntegerInput id="integer-wrong" label="Days" error="Choose at most 28 days" value={days} onChange={setDays} />
          </Sample>
        </Samples>
      </Section>
      <Section id="password-input" title="Password" lead="A button shows what is typed. It’s hidden again when the form is sent.">
        <Samples>
          <Sample name="Filled">
            <FieldFrame id="password-sample" label="Password">
              <PasswordInput id="password-sample" autoComplete="off" defaultValue="three unrelated words" />
            </FieldFrame>
          </Sample>
          <Sample name="With an error">
            <FieldFrame id="password-wrong" label="New password" error="Use at least 10 characters">
              <PasswordInput id="password-wrong" autoComplete="off" isInvalid aria-describedby="password-wrong-error" />
            </FieldFrame>
          </Sample>
        </Samples>
      </Section>
      <DebounceSample />
    </>
  );
}

function DebounceSample() {
  const [inputText, setInputText] = useState('');
  const debouncedText = useDebouncedText(inputText);
  return (
    <Section id="debounce" title="Debounce" lead="Searches 166 ms after the last keystroke.">
      <Samples>
        <Sample name="Type something">
          <FieldFrame id="debounced" label="Company name">
            <TextInput id="debounced" value={inputText} onChange={({ target }) => setInputText(target.value)} />
          </FieldFrame>
          <Text size="small">
            Searched for: <output htmlFor="debounced">{debouncedText === '' ? 'nothing yet' : debouncedText}</output>
          </Text>
        </Sample>
      </Samples>
    </Section>
  );
}
