/** The OAuth consent page for an app: which app is asking, for which practice, and what the user allows. Apps send browsers here. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { connectedAppsApi, type AppConsent } from '@portal/contract/connected-apps.ts';
import { CONNECTED_APP_SCOPE_NAMES, CONNECTED_APP_SCOPES, type ConnectedAppScope } from '@portal/domain/developers/connected-apps.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** The fields of a request. All other query parameters are ignored. */
const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;
type Request = { client_id: string } & Partial<Record<(typeof FIELDS)[number], string>>;

export function AuthoriseAppScreen() {
  const [search] = useSearchParams();
  const request = useMemo<Request>(
    () => ({
      client_id: '',
      ...Object.fromEntries(FIELDS.flatMap((name) => (search.has(name) ? [[name, search.get(name) ?? '']] : []))),
    }),
    [search],
  );
  // Load the request only once per visit: the page must not change while the user is deciding.
  const query = useQuery({ ...apiQuery(connectedAppsApi.request, request), staleTime: Infinity, refetchOnWindowFocus: false });
  const name = query.data?.consent?.program.name;
  return (
    <Page title={name === undefined ? 'Connect an app' : `Connect ${name}?`} maxWidth="text">
      <LoadState query={query}>
        {({ consent, reject_to: rejectTo }) =>
          consent ? <ConsentForm request={request} consent={consent} /> : <RejectedRequest backTo={rejectTo ?? ''} />
        }
      </LoadState>
    </Page>
  );
}

/** Anyone can register an app and link to this page, so never redirect automatically: the user decides whether to open the app's URL. */
function RejectedRequest({ backTo }: { backTo: string }) {
  return (
    <Stack gap={16} align="start">
      <Text role="status">We can’t grant this app’s request. The app may be set up incorrectly. Nothing was connected.</Text>
      {URL.canParse(backTo) && (
        <Button href={backTo} variant="outlined">
          Go back to {new URL(backTo).host}
        </Button>
      )}
    </Stack>
  );
}

function ConsentForm({ request, consent }: { request: Request; consent: AppConsent }) {
  const { program, practices } = consent;
  const [companyId, setCompanyId] = useState(practices[0]?.company_id ?? '');
  const [scopes, setScopes] = useState<readonly ConnectedAppScope[]>(consent.scopes);
  const approve = useMutation({
    mutationFn: () => apiRequest(connectedAppsApi.approve, { ...request, company_id: companyId, scopes: [...scopes] }),
    onSuccess: ({ redirect_to: address }) => location.assign(address),
  });
  const toggle = (scope: ConnectedAppScope) =>
    setScopes(CONNECTED_APP_SCOPES.filter((item) => (item === scope ? !scopes.includes(item) : scopes.includes(item))));
  const refuse = (
    <Button variant="outlined" href={consent.refuse_to}>
      Don’t allow
    </Button>
  );
  if (practices.length === 0) {
    return (
      <Notice tone="info" title="You’re not a member of a practice">
        <Stack gap={12}>
          <Text>An app connects to an accountancy practice through someone who works there.</Text>
          <ButtonRow>{refuse}</ButtonRow>
        </Stack>
      </Notice>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        approve.mutate();
      }}
    >
      <Stack gap={24}>
        <RequesterDetails program={program} />
        <SectionCard title="What it can do">
          <Stack gap={16}>
            <FieldFrame id="practice" label="Practice">
              <Select id="practice" value={companyId} onChange={({ target }) => setCompanyId(target.value)}>
                {practices.map(({ company_id: id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </FieldFrame>
            <fieldset>
              <legend>Allow it to</legend>
              {consent.scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  label={CONNECTED_APP_SCOPE_NAMES[scope]}
                  checked={scopes.includes(scope)}
                  onChange={() => toggle(scope)}
                />
              ))}
            </fieldset>
            <Text size="small" tone="quiet">
              It has your permissions in this practice and no more, and every request is recorded in the audit trail. It can’t send, file,
              pay or approve; instead, it gives you a link to do that here. Anything it reads goes to the app’s provider, so check that your
              practice allows this. You can remove it at any time in{' '}
              <TextLink to={`${getSettingsPath('developers')}?company_id=${companyId}`}>Settings, Developers</TextLink>.
            </Text>
          </Stack>
        </SectionCard>
        {approve.error && (
          <Notice tone="error" title="The app isn’t connected" role="alert">
            {getErrorText(approve.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton
            isBusy={approve.isPending || approve.isSuccess}
            missing={getMissingText([scopes.length === 0 ? 'Choose at least one thing the app can do.' : undefined])}
            otherActions={refuse}
          >
            Allow
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

function RequesterDetails({
  program: { name, redirect_host: host, is_local: isLocal, described_by: describedBy },
}: Pick<AppConsent, 'program'>) {
  return (
    <SectionCard title="About this app">
      <Stack gap={12}>
        <Text>
          An app that calls itself <strong>{name}</strong> is asking to work with your practice on your behalf. You’ll then return to{' '}
          <strong>{isLocal ? 'an app on this computer' : host}</strong>.
        </Text>
        <Notice tone="warning" title="Only allow this if you’ve just started the connection yourself">
          {describedBy === null
            ? 'The app registered itself, and we haven’t checked its name.'
            : `The name comes from ${describedBy}. We haven’t checked who runs it.`}
        </Notice>
      </Stack>
    </SectionCard>
  );
}
