import Box from '@mui/material/Box';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import type { FieldValues, Path } from 'react-hook-form';
import type { ContractForm } from '../lib/contract-form.ts';
import { Icon } from './icons.tsx';

type FieldFrameProps = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  children: React.ReactNode;
};

/** The value of a control's aria-describedby: the ids of its hint and error. Undefined if there is neither. */
export function describedBy(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter((part) => part !== '');
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** Label, then hint, control and error. */
export function FieldFrame({ id, label, hint, error, optional = false, children }: FieldFrameProps) {
  return (
    <Box sx={{ mb: 3 }}>
      <Typography component="label" htmlFor={id} sx={{ display: 'block', fontWeight: 500, mb: 0.5 }}>
        {label}
        {optional && (
          <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
            {' '}
            (optional)
          </Box>
        )}
      </Typography>
      {hint !== undefined && (
        <Typography id={`${id}-hint`} variant="body2" sx={{ color: 'text.secondary', mb: 0.75 }}>
          {hint}
        </Typography>
      )}
      {children}
      <Box aria-live="polite">
        {error !== undefined && (
          <Typography
            id={`${id}-error`}
            variant="body2"
            sx={{ display: 'flex', gap: 0.75, mt: 0.75, color: 'error.tone', fontWeight: 500 }}
          >
            <Icon name="errorCircle" sx={{ fontSize: 18, mt: '1px' }} />
            {error}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

type FormFieldProps<Values extends FieldValues> = {
  form: ContractForm<Values>;
  name: Path<Values>;
  label: string;
  hint?: string;
  optional?: boolean;
  type?: OutlinedInputProps['type'];
  autoComplete?: string;
  inputMode?: 'text' | 'email' | 'tel' | 'numeric';
  /** Width that fits the expected text, in characters. Undefined: the whole column. */
  widthInCharacters?: number;
};

export function FormField<Values extends FieldValues>(props: FormFieldProps<Values>) {
  const { form, name, label, hint, optional = false, type = 'text', autoComplete, inputMode, widthInCharacters } = props;
  const id = form.getFieldId(name);
  const error = form.getError(name);
  const { ref, ...registered } = form.form.register(name);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} optional={optional}>
      <OutlinedInput
        {...registered}
        inputRef={ref}
        id={id}
        type={type}
        fullWidth
        error={error !== undefined}
        sx={widthInCharacters === undefined ? {} : { maxWidth: `calc(${widthInCharacters}ch + 44px)` }}
        slotProps={{
          input: {
            'aria-describedby': describedBy(id, hint, error),
            'aria-required': !optional,
            ...(autoComplete === undefined ? {} : { autoComplete }),
            ...(inputMode === undefined ? {} : { inputMode }),
          },
        }}
      />
    </FieldFrame>
  );
}
