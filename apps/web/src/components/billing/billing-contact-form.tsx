/** Edits the recipient of invoices. */
import { billingApi } from '@portal/contract/billing.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { apiRequest, ApiError } from '../../lib/api.ts';
import { getFieldErrors } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useRefreshBilling, type Billing } from './use-billing.ts';

const FIELDS = ['billing_name', 'billing_email', 'billing_address'] as const;
type Field = (typeof FIELDS)[number];

export function BillingContactForm({ companyId, billing }: { companyId: string; billing: Billing }) {
  const savedContact = {
    billing_name: billing.billing_name,
    billing_email: billing.billing_email,
    billing_address: billing.billing_address,
  };
  const [values, setValues] = useState(savedContact);
  const [touchedFields, setTouchedFields] = useState<readonly Field[]>([]);
  const refresh = useRefreshBilling();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(billingApi.saveDetails, { company_id: companyId, ...values, promotion_code: billing.promotion_code }),
    onSuccess: () => {
      toast('success', 'Billing contact saved');
      return refresh();
    },
  });
  const errors = getFieldErrors(billingApi.saveDetails.input, { company_id: companyId, ...values, promotion_code: '' });
  const serverField = save.error instanceof ApiError ? save.error.details?.['field'] : undefined;
  const getError = (field: Field) =>
    touchedFields.includes(field) ? (errors[field] ?? (serverField === field ? getErrorText(save.error) : undefined)) : undefined;
  const isChanged = FIELDS.some((field) => values[field] !== savedContact[field]);
  const getFieldProps = (name: Field, hint?: string) => ({
    id: `field-${name}`,
    value: values[name],
    isInvalid: getError(name) !== undefined,
    'aria-describedby': getDescribedBy(`field-${name}`, hint, getError(name)),
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
    onBlur: () => setTouchedFields([...touchedFields, name]),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouchedFields(FIELDS);
    if (Object.keys(errors).length === 0) save.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <FieldFrame id="field-billing_name" label="Name" error={getError('billing_name')}>
          <TextInput {...getFieldProps('billing_name')} autoComplete="name" />
        </FieldFrame>
        <FieldFrame id="field-billing_email" label="Email for invoices" error={getError('billing_email')}>
          <TextInput {...getFieldProps('billing_email')} type="email" autoComplete="email" />
        </FieldFrame>
        <FieldFrame id="field-billing_address" label="Address on the invoice" error={getError('billing_address')}>
          <TextArea {...getFieldProps('billing_address')} rows={3} autoComplete="street-address" />
        </FieldFrame>
        {save.error && (
          <Notice tone="error" title="Not saved" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton
            variant="outlined"
            size="small"
            missing={getMissingText([Object.values(errors)[0]], isChanged)}
            isBusy={save.isPending}
          >
            Save contact
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}
