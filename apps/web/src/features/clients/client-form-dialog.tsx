/** A client written down by hand. What is wrong with a field stands beside it, as the import would say it. */
import { clientKind, clientsApi } from '@portal/contract/clients.ts';
import { TAXES } from '@portal/contract/practice.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../lib/api.ts';
import { KIND_NAMES } from '../../lib/client-words.ts';
import { errorText } from '../../lib/error-text.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';

const FIELDS = [
  { name: 'name', label: 'Name', hint: 'Of the company or person, as HMRC knows them' },
  { name: 'vrn', label: 'VAT number', optional: true },
  { name: 'utr', label: 'UTR', optional: true, hint: '10 digits' },
  { name: 'company_number', label: 'Company number', optional: true },
  { name: 'nino', label: 'National Insurance number', optional: true },
  { name: 'paye_reference', label: 'PAYE reference', optional: true, hint: 'For example 123/AB456' },
  { name: 'accounts_office_reference', label: 'Accounts Office reference', optional: true },
  { name: 'postcode', label: 'Postcode', optional: true },
  { name: 'year_end', label: 'Year end', optional: true, hint: 'The last day of the accounting period, for example 2026-03-31' },
  { name: 'email', label: 'E-mail', optional: true },
  { name: 'phone', label: 'Phone', optional: true },
] as const;

type FieldName = (typeof FIELDS)[number]['name'];

export function ClientFormDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const [values, setValues] = useState<Partial<Record<FieldName, string>>>({});
  const [kind, setKind] = useState<(typeof clientKind.options)[number]>('company');
  const [taxes, setTaxes] = useState<readonly Tax[]>(['ct']);
  const client = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => call(clientsApi.create, { company_id: companyId, ...values, name: values.name ?? '', kind, taxes: [...taxes] }),
    onSuccess: async () => {
      await Promise.all([clientsApi.list.path, clientsApi.count.path].map((path) => client.invalidateQueries({ queryKey: [path] })));
      toast('success', `${values.name ?? 'The client'} is in your list.`);
      onClose();
    },
  });
  const named = save.error instanceof ApiError ? save.error.fieldErrors : {};
  const isNamed = FIELDS.some(({ name }) => named[name] !== undefined);
  return (
    <ModalDialog
      open
      heading="Add a client"
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="client-form" disabled={save.isPending || (values.name ?? '').trim() === ''}>
            Add this client
          </Button>
        </>
      }
    >
      <Box
        component="form"
        id="client-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
        sx={{ pt: 1, maxWidth: 560 }}
      >
        {save.error && !isNamed ? (
          <Box sx={{ mb: 2 }}>
            <Notice tone="error" title="Not added" role="alert">
              {errorText(save.error)}
            </Notice>
          </Box>
        ) : null}
        <FieldFrame id="client-kind" label="What it is">
          <NativeSelect
            id="client-kind"
            fullWidth
            value={kind}
            input={<OutlinedInput />}
            onChange={(event) => setKind(clientKind.parse(event.target.value))}
          >
            {clientKind.options.map((option) => (
              <option key={option} value={option}>
                {KIND_NAMES[option]}
              </option>
            ))}
          </NativeSelect>
        </FieldFrame>
        <Box component="fieldset" sx={{ border: 0, m: 0, mb: 3, p: 0 }}>
          <Box component="legend" sx={{ fontWeight: 500, p: 0 }}>
            Taxes you look after
          </Box>
          {TAXES.map((tax) => (
            <FormControlLabel
              key={tax}
              label={TAX_NAMES[tax]}
              control={
                <Checkbox
                  checked={taxes.includes(tax)}
                  onChange={() => setTaxes(taxes.includes(tax) ? taxes.filter((other) => other !== tax) : [...taxes, tax])}
                />
              }
            />
          ))}
        </Box>
        {FIELDS.map((field) => {
          const hint = 'hint' in field ? field.hint : undefined;
          const error = named[field.name];
          const id = `client-${field.name}`;
          return (
            <FieldFrame key={field.name} id={id} label={field.label} hint={hint} error={error} optional={'optional' in field}>
              <OutlinedInput
                id={id}
                fullWidth
                value={values[field.name] ?? ''}
                onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
                error={error !== undefined}
                inputProps={{ 'aria-describedby': describedBy(id, hint, error), 'aria-invalid': error !== undefined, maxLength: 200 }}
              />
            </FieldFrame>
          );
        })}
      </Box>
    </ModalDialog>
  );
}
