/**
 * The bookkeeping software that a company's books are read from: connect it, choose the organisation, follow the progress of the read and
 * answer questions.
 */
import type { BooksConnection, BooksConnectionState } from '@portal/contract/books-connection.ts';
import { clientBooksApi } from '@portal/contract/client-books.ts';
import { toVatDigits } from '@portal/domain/connected-books/books-problems.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { usePermission } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { Text } from '../../ui/text.tsx';
import { NeedsRight } from '../companies/needs-right.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { getConnectionApi, type BooksTarget } from './books-api.ts';
import { BasisQuestion } from './basis-question.tsx';
import { BooksFacts } from './books-facts.tsx';
import { BooksOutcomeNotice } from './books-outcome-notice.tsx';
import { ChooseOrganisation } from './choose-organisation.tsx';
import { DisconnectBooksDialog } from './disconnect-books-dialog.tsx';
import { RateQuestions } from './rate-questions.tsx';
import { useDecision } from './use-decision.ts';

type PanelProps = {
  target: BooksTarget;
  state: BooksConnectionState;
  returnTo: 'steps' | 'books';
  preferred?: BooksProviderName | undefined;
  /** Shown instead of the list of bookkeeping software while nothing is connected. */
  start?: ReactNode;
};

/** `preferred`: the bookkeeping software that the user came from, offered first. */
export function BooksConnectionPanel({ target, state, returnTo, preferred, start }: PanelProps) {
  const { connection } = state;
  const connect = useMutation({
    mutationFn: (provider: BooksProviderName) =>
      apiRequest(getConnectionApi(target).connect, { ...target, program: provider, return_to: returnTo }),
    onSuccess: ({ authorize_url: url }) => location.assign(url),
  });
  const isLeaving = connect.isPending || connect.isSuccess;
  const providers = state.available.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
  return (
    <Stack gap={16}>
      <BooksOutcomeNotice isOfClient={target.client_id !== undefined} />
      {connect.error !== null && (
        <Notice tone="error" title="The books weren’t connected" role="alert">
          {getErrorText(connect.error)}
        </Notice>
      )}
      {connection === null && start}
      {connection === null && start === undefined && (
        <>
          <Text measure>
            Connect your bookkeeping software and we’ll work out the nine boxes from your documents and check for changes. We only read your
            books and never change them. Xero enforces this; QuickBooks and FreeAgent only offer apps full access.
          </Text>
          <NeedsRight companyId={target.company_id} access="company.manage" to="connect books">
            <ButtonRow>
              {providers.map((provider, index) => (
                <Button
                  key={provider}
                  variant={index === 0 && preferred === provider ? 'filled' : 'outlined'}
                  disabled={isLeaving}
                  onClick={() => connect.mutate(provider)}
                >
                  Connect {BOOKS_PROVIDER_NAMES[provider]}
                </Button>
              ))}
            </ButtonRow>
          </NeedsRight>
          {providers.length === 0 && <Text tone="quiet">No bookkeeping software is set up on this portal. Upload a file instead.</Text>}
        </>
      )}
      {connection !== null && (
        <Connected target={target} connection={connection} isLeaving={isLeaving} connect={(provider) => connect.mutate(provider)} />
      )}
    </Stack>
  );
}

type ConnectedProps = {
  target: BooksTarget;
  connection: BooksConnection;
  isLeaving: boolean;
  connect: (provider: BooksProviderName) => void;
};

function Connected({ target, connection, isLeaving, connect }: ConnectedProps) {
  const { program, status, reading, problem, organisations, organisation_name: organisation, is_by_practice: isByPractice } = connection;
  const { company_id: companyId } = target;
  const [isChoosing, setIsChoosing] = useState(false);
  const [isDisconnecting, setIsDisconnecting] = useState(false);
  const read = useDecision(target, () => apiRequest(getConnectionApi(target).read, target));
  const name = BOOKS_PROVIDER_NAMES[program];
  const mustChoose = status === 'choosing' || isChoosing;
  const checkNow = status === 'connected' && reading === null && (
    <Button variant="outlined" disabled={read.isPending} onClick={() => read.mutate()}>
      Check for changes now
    </Button>
  );
  return (
    <Stack gap={16}>
      {status === 'lost' && (
        <Notice tone="error" title={`${name} no longer accepts our connection`}>
          {connection.lost_at !== null && (
            <>
              {connection.lost_reason === 'removed' && `We no longer have access to ${organisation ?? 'this organisation'} in ${name}. `}
              Since <InstantText at={connection.lost_at} />, the figures haven’t included new entries in {name}.{' '}
            </>
          )}
          The figures we’ve already read are still available.{' '}
          {isByPractice ? `Connect ${name} again for all clients` : `Connect ${name} again`}, or upload a file.
        </Notice>
      )}
      {mustChoose ? (
        <ChooseOrganisation companyId={companyId} connection={connection} onDone={() => setIsChoosing(false)} />
      ) : (
        <>
          <BooksFacts connection={connection} />
          {reading !== null && <Reading reading={reading} name={name} />}
          {problem !== null && problem.code !== 'basis_unknown' && problem.code !== 'rates_unknown' && (
            <Notice tone="warning" title={problem.title} role="status">
              {problem.text}
            </Notice>
          )}
          {problem?.code === 'vat_number_unconfirmed' && connection.vat_number !== null && (
            <ConfirmVatNumber target={target} vatNumber={connection.vat_number} />
          )}
          {(problem?.code === 'basis_unknown' || problem?.code === 'rates_unknown') && (
            <NeedsRight companyId={companyId} access="company.prepare" to="answer questions about these books">
              {problem.code === 'basis_unknown' ? (
                <BasisQuestion target={target} problem={problem} />
              ) : (
                <RateQuestions target={target} problem={problem} questions={connection.questions} program={connection.program} />
              )}
            </NeedsRight>
          )}
        </>
      )}
      {read.error !== null && (
        <Notice tone="error" title="We couldn’t start" role="alert">
          {getErrorText(read.error)}
        </Notice>
      )}
      <ConnectionPermissionGate target={target} otherwise={checkNow}>
        <ButtonRow>
          {checkNow}
          {status === 'connected' && organisations.length > 1 && !isChoosing && (
            <Button variant="outlined" onClick={() => setIsChoosing(true)}>
              Choose another organisation
            </Button>
          )}
          {(status === 'lost' ||
            connection.not_permitted.length > 0 ||
            (problem !== null && problem.code !== 'basis_unknown' && problem.code !== 'rates_unknown')) && (
            <Reconnect target={target} connection={connection} isLeaving={isLeaving} connect={connect} />
          )}
          <Button variant="text" onClick={() => setIsDisconnecting(true)}>
            Disconnect
          </Button>
        </ButtonRow>
      </ConnectionPermissionGate>
      {isDisconnecting && (
        <DisconnectBooksDialog
          target={target}
          isByPractice={isByPractice}
          name={organisation ?? name}
          program={program}
          isRevokedAtProvider={connection.ends_at_program}
          onClose={() => setIsDisconnecting(false)}
        />
      )}
    </Stack>
  );
}

type MayConnectProps = { target: BooksTarget; otherwise: ReactNode; children: ReactNode };

/** Changing a client's connection needs a separate permission. Colleagues without it can still use `otherwise`. */
function ConnectionPermissionGate({ target, otherwise, children }: MayConnectProps) {
  const { company_id: companyId, client_id: clientId } = target;
  const isPermitted = usePermission(clientId === undefined ? '' : companyId, 'manage_connections');
  if (clientId === undefined) {
    return (
      <NeedsRight companyId={companyId} access="company.manage" to="change this connection">
        {children}
      </NeedsRight>
    );
  }
  if (isPermitted) return children;
  return (
    <>
      {otherwise && <ButtonRow>{otherwise}</ButtonRow>}
      <Text tone="quiet">To change the connection, you need the “Manage connections” permission.</Text>
    </>
  );
}

/** For a client whose VAT number the portal doesn't have: the user confirms that the organisation is the client. */
function ConfirmVatNumber({ target, vatNumber }: { target: BooksTarget; vatNumber: string }) {
  const confirm = useDecision(target, () =>
    apiRequest(clientBooksApi.confirmVatNumber, { ...target, client_id: target.client_id ?? '', vat_number: toVatDigits(vatNumber) }),
  );
  return (
    <>
      {confirm.error !== null && (
        <Notice tone="error" title="Not confirmed" role="alert">
          {getErrorText(confirm.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          Yes, {formatVrn(toVatDigits(vatNumber))} is this client
        </Button>
      </ButtonRow>
    </>
  );
}

/** A connection that uses the practice's authorisation is reconnected for all the practice's clients together. */
function Reconnect({ target, connection: { program, status, is_by_practice: isByPractice }, isLeaving, connect }: ConnectedProps) {
  const variant = status === 'lost' ? 'filled' : 'outlined';
  const name = BOOKS_PROVIDER_NAMES[program];
  if (isByPractice) {
    return (
      <Button variant={variant} to={getPageLink('practiceBooks', { company_id: target.company_id })}>
        Go to clients’ books
      </Button>
    );
  }
  return (
    <Button variant={variant} disabled={isLeaving} onClick={() => connect(program)}>
      Connect {name} again
    </Button>
  );
}

function Reading({ reading, name }: { reading: NonNullable<BooksConnection['reading']>; name: string }) {
  const { objects, waits_until: waitsUntil } = reading;
  const statusText = `Reading ${name}: ${objects.toLocaleString('en-GB')} ${objects === 1 ? 'document' : 'documents'} so far`;
  return (
    <Stack gap={8}>
      <Progress label={statusText} />
      <div role="status">
        <Text>{statusText}</Text>
      </div>
      <Text size="small" tone="quiet">
        {waitsUntil === null ? (
          'You can leave this page. We’ll keep reading.'
        ) : (
          <>
            {name} limits how often we can request data. We’ll continue on <InstantText at={waitsUntil} />. You can leave this page.
          </>
        )}
      </Text>
    </Stack>
  );
}
