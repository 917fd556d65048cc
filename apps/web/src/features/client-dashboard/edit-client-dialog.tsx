/** Edits the client's details. If a colleague saved first, the form shows both versions and keeps what was typed. */
import { clientsApi } from '@portal/contract/clients.ts';
import { mergeFacts } from '@portal/domain/practice/merge-facts.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { factsOf, FIELD_LABELS, textsOf, type ClientFieldName, type ClientTexts } from '../../ui/client-fields.tsx';
import { ClientFormDialog, useClientForm } from '../../ui/client-form-dialog.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { useToast } from '../../ui/toast.tsx';
import { inputOf, type OfClient } from './client-page.ts';

type Known = { readonly texts: ClientTexts; readonly version: string };

async function load(of: OfClient): Promise<Known> {
  const { client_id: _id, status: _status, version, ...facts } = await apiRequest(clientsApi.find, inputOf(of));
  return { texts: textsOf(facts), version };
}

export function EditClientDialog({ of, onClose }: { of: OfClient; onClose: () => void }) {
  // Loaded again each time the dialog opens, so that edits start from the current details.
  const query = useQuery({
    queryKey: ['edit-client', of.clientId],
    queryFn: () => load(of),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data) return <Form of={of} known={query.data} onClose={onClose} />;
  return (
    <ModalDialog open heading="Change the details" onClose={onClose}>
      <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
        {() => null}
      </LoadState>
    </ModalDialog>
  );
}

/** What a colleague saved while this form was open. */
type Meanwhile = {
  readonly who: string;
  readonly taken: readonly ClientFieldName[];
  readonly clashes: readonly ClientFieldName[];
  readonly theirs: ClientTexts;
};

function Form({ of, known, onClose }: { of: OfClient; known: Known; onClose: () => void }) {
  const form = useClientForm(`client ${of.clientId} ${known.version}`, known.texts);
  const { texts, setTexts } = form;
  const [base, setBase] = useState(known);
  const [meanwhile, setMeanwhile] = useState<Meanwhile>();
  const tell = useInvalidateClients();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(clientsApi.edit, { ...inputOf(of), version: base.version, ...factsOf(texts) }),
    onSuccess: async () => {
      await tell();
      toast('success', 'The details are saved.');
      form.forget();
      onClose();
    },
    onError: async (error) => {
      if (!isLate(error)) return;
      const theirs = await load(of);
      const { merged, taken, clashes } = mergeFacts(base.texts, texts, theirs.texts);
      setMeanwhile({ who: error.message.replace(/ changed this client.*$/, ''), taken, clashes, theirs: theirs.texts });
      setTexts(merged);
      setBase(theirs);
    },
  });
  const isChanged = Object.entries(texts).some(([name, text]) => base.texts[name as ClientFieldName] !== text);
  return (
    <ClientFormDialog
      heading="Change the details"
      form={form}
      save={{ ...save, mutate: () => save.mutate() }}
      words={{ save: 'Save the details', leave: 'Change nothing', refused: 'Not saved' }}
      cannotSave={!isChanged}
      isToldAbove={isLate(save.error)}
      above={
        meanwhile && (
          <MeanwhileNotice meanwhile={meanwhile} mine={texts} take={(name) => setTexts({ ...texts, [name]: meanwhile.theirs[name] })} />
        )
      }
      onClose={onClose}
    />
  );
}

const isLate = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'client.changed_meanwhile';

type MeanwhileNoticeProps = { meanwhile: Meanwhile; mine: ClientTexts; take: (name: ClientFieldName) => void };

function MeanwhileNotice({ meanwhile: { who, taken, clashes, theirs }, mine, take }: MeanwhileNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  // The save button is at the bottom of a long form, so scroll the notice into view.
  // The braces matter: in newer browsers scrollIntoView returns a promise, which React would take for a clean-up function.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  const open = clashes.filter((name) => mine[name] !== theirs[name]);
  return (
    <Box ref={place} sx={{ mb: 3 }}>
      <Notice tone="warning" title={`${who} changed this client while you were writing`} role="alert">
        <Typography>
          Nothing of yours is lost, and nothing is saved yet. Look at it once more, then save.
          {taken.length > 0 && ` From them comes: ${taken.map((name) => FIELD_LABELS[name]).join(', ')}.`}
        </Typography>
        {open.length > 0 && (
          <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5 }}>
            {open.map((name) => (
              <li key={name}>
                {FIELD_LABELS[name]}: yours is “{mine[name] || 'empty'}”, theirs “{theirs[name] || 'empty'}”.{' '}
                <Button size="small" variant="text" onClick={() => take(name)} sx={{ p: 0, minWidth: 0, verticalAlign: 'baseline' }}>
                  Take theirs
                </Button>
              </li>
            ))}
          </Box>
        )}
      </Notice>
    </Box>
  );
}
