/**
 * The state of the login form, validated by the contract. Errors appear for touched fields; the form can be submitted when valid and
 * changed (docs/product/specification.md section 4).
 */
import { identityApi } from '@portal/contract/identity.ts';
import { useEffect, useState, type RefObject } from 'react';

export type LoginField = 'email' | 'password';

export type LoginForm = {
  readonly values: Readonly<Record<LoginField, string>>;
  readonly isValid: boolean;
  readonly isChanged: boolean;
  /** The problem with a field, whether or not it has been touched. */
  readonly getProblem: (field: LoginField) => string | undefined;
  /** The problem with a field that has been touched. */
  readonly getShownProblem: (field: LoginField) => string | undefined;
  readonly change: (field: LoginField, value: string) => void;
  readonly touch: (field: LoginField, options?: { readonly focus: boolean }) => void;
  readonly touchAll: () => void;
};

const EMPTY: Readonly<Record<LoginField, string>> = { email: '', password: '' };

export const getLoginFieldId = (field: LoginField): string => `field-${field}`;

export function useLoginForm(formRef: RefObject<HTMLFormElement | null>): LoginForm {
  const [values, setValues] = useState(EMPTY);
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<LoginField>>(new Set());
  // Read text that was typed, or filled in by the browser, before this script ran.
  useEffect(() => {
    const getTypedValue = (field: LoginField): string =>
      formRef.current?.querySelector<HTMLInputElement>(`#${getLoginFieldId(field)}`)?.value ?? '';
    setValues({ email: getTypedValue('email'), password: getTypedValue('password') });
  }, [formRef]);
  const problems = findProblems(values);
  return {
    values,
    isValid: problems.email === undefined && problems.password === undefined,
    isChanged: values.email !== '' || values.password !== '',
    getProblem: (field) => problems[field],
    getShownProblem: (field) => (touchedFields.has(field) ? problems[field] : undefined),
    change: (field, value) => setValues((previous) => ({ ...previous, [field]: value })),
    touch: (field, options) => {
      setTouchedFields((previous) => new Set([...previous, field]));
      if (options?.focus === true) document.getElementById(getLoginFieldId(field))?.focus();
    },
    touchAll: () => setTouchedFields(new Set(['email', 'password'])),
  };
}

function findProblems(values: Readonly<Record<LoginField, string>>): Partial<Record<LoginField, string>> {
  const issues = identityApi.login.input.safeParse(values).error?.issues ?? [];
  const getFirstMessage = (field: LoginField) => issues.find(({ path }) => path[0] === field)?.message;
  const [email, password] = [getFirstMessage('email'), getFirstMessage('password')];
  return { ...(email === undefined ? {} : { email }), ...(password === undefined ? {} : { password }) };
}
