/** A form for one endpoint: the input schema validates the fields, and the server's errors are shown beside them. */
import type { Endpoint, EndpointInput } from '@portal/contract/endpoint.ts';
import type { Parsed } from '@portal/domain/parsed.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import { z } from 'zod/mini';
import { getErrorText } from './error-text.ts';
import { deleteDraft, saveDraft, readDraft, type FormDraft } from './form-draft.ts';
import { ApiError } from './problem-to-error.ts';

/** Returns the input schema's first message for each field. */
export function getFieldErrors(input: z.ZodMiniObject, values: unknown): Record<string, string> {
  const result = input.safeParse(values);
  const errors: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= issue.message;
  }
  return errors;
}

const isOptional = (input: z.ZodMiniObject, field: string): boolean => {
  const schema = input.shape[field];
  return schema !== undefined && z.safeParse(schema, undefined).success;
};

/** Omits optional fields that are empty, because their schemas accept undefined but not "". */
function omitEmptyOptionals<Values extends FieldValues>(input: z.ZodMiniObject, values: Values): Values {
  const entries = Object.entries(values).filter(([name, value]) => !(value === '' && isOptional(input, name)));
  return Object.fromEntries(entries) as Values;
}

/** Domain rules on top of the schema, such as the check digits of a VAT number. */
type FieldChecks = Readonly<Record<string, (text: string) => Parsed<unknown>>>;

/** Returns the first message for each field from the schema and the checks. */
function findErrors<Values extends FieldValues>(
  input: z.ZodMiniObject,
  fixedValues: Readonly<Record<string, unknown>>,
  checks: FieldChecks,
  values: Values,
): Record<string, string> {
  const errors = getFieldErrors(input, { ...fixedValues, ...omitEmptyOptionals(input, values) });
  for (const [field, check] of Object.entries(checks)) {
    const read = check(String(values[field] ?? ''));
    if (!read.ok) errors[field] ??= read.reason;
  }
  return errors;
}

function createResolver<Values extends FieldValues>(
  input: z.ZodMiniObject,
  fixedValues: Readonly<Record<string, unknown>>,
  checks: FieldChecks,
): Resolver<Values> {
  return (values) => {
    const errors = findErrors(input, fixedValues, checks, values);
    const formErrors = Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, { type: 'contract', message }]));
    return Object.keys(formErrors).length > 0 ? { values: {}, errors: formErrors as FieldErrors<Values> } : { values, errors: {} };
  };
}

export type ContractForm<Values extends FieldValues> = {
  readonly form: UseFormReturn<Values>;
  /** True only when the form is valid, changed and not submitting (docs/product/specification.md section 4). */
  readonly canSubmit: boolean;
  readonly isSubmitting: boolean;
  /** Returns the error of a field, once it has been touched or the server has reported it. */
  readonly getError: (field: Path<Values>) => string | undefined;
  /** Lists what prevents these values from being submitted, in field order, including untouched fields. */
  readonly listProblems: (values: Values) => readonly { readonly field: Path<Values>; readonly message: string }[];
  /** The server's errors, for the summary at the top. `field` is undefined for an error about the whole form. */
  readonly serverErrors: readonly { readonly field: string | undefined; readonly message: string }[];
  readonly submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  /** The ID of a field's control, unique on pages with several forms. */
  readonly getFieldId: (field: string) => string;
  /** Discards the restored draft. Undefined if there is none. */
  readonly discardDraft: (() => void) | undefined;
};

/** `fixed`: input members that aren't fields (company_id). `startsChanged`: allows submitting values that were typed on an earlier page. */
export function useContractForm<E extends Endpoint, Values extends FieldValues>(
  endpoint: E,
  options: {
    readonly defaults: DefaultValues<Values>;
    readonly fixed?: Partial<EndpointInput<E>>;
    readonly startsChanged?: boolean;
    readonly checks?: FieldChecks;
    /** Keeps field IDs unique on a page with several forms. */
    readonly idPrefix?: string;
    /** Fields whose text is saved in this tab until the form is submitted. */
    readonly draft?: FormDraft;
    readonly send: (input: EndpointInput<E>) => Promise<void>;
  },
): ContractForm<Values> {
  const fixedValues = (options.fixed ?? {}) as Readonly<Record<string, unknown>>;
  const [serverErrors, setServerErrors] = useState<ContractForm<Values>['serverErrors']>([]);
  const form = useForm<Values>({
    mode: 'onTouched',
    defaultValues: options.defaults,
    resolver: createResolver<Values>(endpoint.input, fixedValues, options.checks ?? {}),
  });
  const { isValid, isDirty, isSubmitting, errors, touchedFields } = form.formState;

  const { hasDraft, discard } = useDraft(form, options.draft);

  // A second Enter may arrive before the disabled button is rendered.
  const isRunning = useRef(false);

  const send = async (values: Values): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setServerErrors([]);
    try {
      await options.send({ ...fixedValues, ...omitEmptyOptionals(endpoint.input, values) } as EndpointInput<E>);
      discard();
    } catch (error) {
      setServerErrors(showServerErrors(form, error));
    } finally {
      isRunning.current = false;
    }
  };
  return {
    form,
    canSubmit: isValid && (isDirty || options.startsChanged === true) && !isSubmitting,
    isSubmitting,
    getError: (field) => {
      const error = (errors as Record<string, { type?: unknown; message?: unknown } | undefined>)[field];
      const isShown = error?.type === 'server' || (touchedFields as Record<string, unknown>)[field] === true;
      return isShown && typeof error?.message === 'string' ? error.message : undefined;
    },
    listProblems: (values) =>
      Object.entries(findErrors(endpoint.input, fixedValues, options.checks ?? {}, values))
        .filter(([field]) => Object.hasOwn(values, field))
        .map(([field, message]) => ({ field: field as Path<Values>, message })),
    serverErrors,
    submit: (event) => form.handleSubmit(send)(event),
    getFieldId: (field) => `${options.idPrefix ?? 'field'}-${field}`,
    discardDraft: hasDraft
      ? () => {
          discard();
          form.reset();
        }
      : undefined,
  };
}

/** Restores the draft once and saves changes to it. */
function useDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  draft: FormDraft | undefined,
): { hasDraft: boolean; discard: () => void } {
  const { setValue, subscribe, formState } = form;
  const initial = useRef({ draft, saved: (formState.defaultValues ?? {}) as Readonly<Record<string, unknown>> });
  const [hasDraft, setHasDraft] = useState(false);
  useEffect(() => {
    const { draft: initialDraft, saved } = initial.current;
    if (initialDraft === undefined) return undefined;
    const draftValues = Object.entries(readDraft(initialDraft, saved));
    // The user has already visited these fields, so show their errors.
    for (const [field, text] of draftValues)
      setValue(field as Path<Values>, text as PathValue<Values, Path<Values>>, {
        shouldDirty: true,
        shouldTouch: true,
        shouldValidate: true,
      });
    setHasDraft(draftValues.length > 0);
    return subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(initialDraft, values, saved) });
  }, [setValue, subscribe]);
  const discard = useCallback(() => {
    if (initial.current.draft !== undefined) deleteDraft(initial.current.draft);
    setHasDraft(false);
  }, []);
  return { hasDraft, discard };
}

function showServerErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): ContractForm<Values>['serverErrors'] {
  const errorEntries = error instanceof ApiError ? Object.entries(error.fieldErrors) : [];
  const fields = new Set(Object.keys(form.getValues()));
  for (const [field, message] of errorEntries) if (fields.has(field)) form.setError(field as Path<Values>, { type: 'server', message });
  if (errorEntries.length === 0) return [{ field: undefined, message: getErrorText(error) }];
  return errorEntries.map(([field, message]) =>
    fields.has(field) ? { field, message } : { field: undefined, message: `${field}: ${message}` },
  );
}
