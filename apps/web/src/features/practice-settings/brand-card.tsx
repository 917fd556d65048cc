/** The practice's branding for its clients: logo and colour. */
import { LOGO_UPLOAD_PATH, MAX_LOGO_BYTES, practiceBrandApi, type PracticeBrand } from '@portal/contract/practice-brand.ts';
import { toReadableColour, parseColour } from '@portal/domain/practice/brand-colour.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useFileUpload } from '../../lib/use-file-upload.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

export function BrandCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(practiceBrandApi.get, { company_id: companyId }));
  return (
    <SectionCard
      title="How clients see you"
      source="Your clients see this in the client portal, and your name and colour in emails to them."
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {(brand) => (
          <Stack gap={24}>
            <Logo companyId={companyId} brand={brand} />
            <ColourForm key={brand.colour} companyId={companyId} saved={brand.colour ?? ''} />
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

function useRefreshBrand(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [practiceBrandApi.get.path] });
}

function Logo({ companyId, brand }: { companyId: string; brand: PracticeBrand }) {
  const input = useRef<HTMLInputElement>(null);
  const refresh = useRefreshBrand();
  const toast = useToast();
  const { state, upload } = useFileUpload({
    path: LOGO_UPLOAD_PATH,
    query: { company_id: companyId },
    maxFileBytes: MAX_LOGO_BYTES,
    tooLargeAdvice: 'Choose a smaller one. It’s displayed about 200 pixels wide.',
    unchangedText: 'Your logo hasn’t changed.',
    onUploaded: async () => {
      await refresh();
      toast('success', 'Logo saved');
    },
  });
  const remove = useMutation({
    mutationFn: () => apiRequest(practiceBrandApi.save, { company_id: companyId, colour: brand.colour, removes_logo: true }),
    onSuccess: refresh,
  });
  return (
    <Stack gap={12} align="start">
      {brand.logo === null ? (
        <Text tone="quiet">No logo yet: clients see your name. PNG or JPEG, up to 1 MB.</Text>
      ) : (
        <img src={brand.logo} alt={`${brand.name} logo`} className={styles.logo} />
      )}
      {state.status === 'refused' && (
        <Notice tone="error" title={`${state.fileName} wasn’t saved`} role="alert">
          {state.reason}
        </Notice>
      )}
      {remove.error !== null && <Text role="alert">{getErrorText(remove.error)}</Text>}
      <Row gap={8}>
        <Button
          size="small"
          variant="outlined"
          isBusy={state.status === 'sending' || state.status === 'checking'}
          onClick={() => input.current?.click()}
        >
          {brand.logo === null ? 'Choose a logo' : 'Choose another logo'}
        </Button>
        {brand.logo !== null && (
          <Button size="small" variant="text" tone="error" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Remove logo
          </Button>
        )}
      </Row>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg"
        aria-label="Logo"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file !== undefined) upload(file);
        }}
      />
    </Stack>
  );
}

function ColourForm({ companyId, saved }: { companyId: string; saved: string }) {
  const [colour, setColour] = useState(saved);
  const refresh = useRefreshBrand();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(practiceBrandApi.save, { company_id: companyId, colour: colour.trim() === '' ? null : colour.trim() }),
    onSuccess: async () => {
      await refresh();
      toast('success', 'Colour saved');
    },
  });
  const isColour = colour.trim() === '' || parseColour(colour) !== undefined;
  const shade = toReadableColour(colour, '#FFFFFF');
  const isCorrected = shade !== undefined && shade.toUpperCase() !== colour.trim().toUpperCase().replace(/^#?/, '#');
  const hint = 'For example, #7440F5. Leave it blank to use ours.';
  const error = save.error === null ? undefined : getErrorText(save.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap={12}>
        <FieldFrame id="brand-colour" label="Colour" hint={hint} error={error} optional>
          <Row gap={8}>
            <input
              type="color"
              aria-label="Pick a colour"
              className={styles.colour}
              value={shade === undefined ? '#7440f5' : `#${colour.trim().replace('#', '').toLowerCase()}`}
              onChange={({ target: { value } }) => setColour(value.toUpperCase())}
            />
            <TextInput
              id="brand-colour"
              widthInCharacters={9}
              maxLength={7}
              isInvalid={!isColour || error !== undefined}
              aria-describedby={getDescribedBy('brand-colour', hint, error)}
              value={colour}
              onChange={({ target: { value } }) => setColour(value)}
            />
          </Row>
        </FieldFrame>
        {isCorrected && (
          <Text size="small">
            It’s too light to read on white, so clients will see{' '}
            <strong style={{ color: shade }} className={styles.shade}>
              {shade}
            </strong>
            .
          </Text>
        )}
        <Row gap={12}>
          <SubmitButton
            missing={getMissingText([isColour ? undefined : 'Enter a colour such as #7440F5.'], colour.trim() !== saved)}
            isBusy={save.isPending}
          >
            Save colour
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
