/** Explains how to use the API, with examples that a test runs. */
import {
  ADD_NOTE_WITH_CURL,
  API_CLIENT_PATH,
  DOWNLOAD_CLIENT,
  LOAD_SANDBOX_CLIENTS,
  LOCAL_RECEIVER,
  OVERDUE_WITH_CURL,
  OVERDUE_WITH_TYPESCRIPT,
  RECEIVE_WITH_TYPESCRIPT,
} from '@portal/contract/developer-examples.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { API_SCOPE_NAMES, API_SCOPES, MAX_CALLS_PER_KEY } from '@portal/domain/developers/api-scopes.ts';
import { DISABLED_AFTER_DAYS, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from '@portal/domain/developers/webhook-events.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CodeExample } from './code-example.tsx';
import { ReferenceTable } from './reference-table.tsx';

export function DevelopersScreen() {
  const origin = window.location.origin;
  return (
    <Page
      title="Developers"
      maxWidth="text"
      lead="Read your clients, deadlines and figures with your own software, and make the changes you allow."
    >
      <Stack gap={24}>
        <SectionCard title="1. Create a key">
          <Stack gap={12}>
            <Text>
              An admin of a practice creates keys in <TextLink to={getSettingsPath('developers')}>Settings, Developers</TextLink>; the owner
              of a company creates them in their profile, under Company. You choose what the key can do and when it expires. The key is
              shown only once. Then set:
            </Text>
            <CodeExample title="Your shell" code={`export PORTAL_URL="${origin}"\nexport PORTAL_API_KEY="ptl_…"`} />
            <Text size="small" tone="quiet">
              A key that begins with ptl_test_ belongs to a sandbox, where every figure is made up. A new sandbox practice has one client,
              with nothing overdue: <code>{LOAD_SANDBOX_CLIENTS}</code> adds 30 more in about a minute.
            </Text>
          </Stack>
        </SectionCard>
        <SectionCard title="2. List overdue clients">
          <Stack gap={12}>
            <CodeExample title="curl" code={OVERDUE_WITH_CURL} />
            <Text>
              Lists are paged with <code>next_cursor</code>: send it as <code>cursor</code> until it’s null. In TypeScript, download our
              typed client, <TextLink href={`${PORTAL_BASE}${API_CLIENT_PATH}`}>one file with no dependencies</TextLink>. The TypeScript
              examples run unchanged on Node.js 22.18 or later:
            </Text>
            <CodeExample title="Download the client" code={DOWNLOAD_CLIENT} />
            <CodeExample title="overdue.ts, run with node overdue.ts" code={OVERDUE_WITH_TYPESCRIPT} />
          </Stack>
        </SectionCard>
        <SectionCard title="3. Change something">
          <Stack gap={12}>
            <Text>
              Send an <code>Idempotency-Key</code> with every write. If the connection breaks, repeat the same request with the same key:
              you’ll get the first response, and nothing is done twice.
            </Text>
            <CodeExample title="Add a note to a client" code={ADD_NOTE_WITH_CURL} />
          </Stack>
        </SectionCard>
        <WebhooksCard />
        <SectionCard title="5. Or connect your assistant">
          <Text>
            Claude, ChatGPT and other assistants can work with a practice without a key:{' '}
            <TextLink to={PAGES.assistants.path}>how to connect your assistant</TextLink>.
          </Text>
        </SectionCard>
        <Scopes />
        <Answers />
      </Stack>
    </Page>
  );
}

function WebhooksCard() {
  return (
    <SectionCard title="4. Receive webhooks">
      <Stack gap={12}>
        <Text>
          Add your receiver’s address where you created the key (for the receiver below, in a sandbox, <code>{LOCAL_RECEIVER}</code>) and
          copy the signing secret. Then start the receiver, open Deliveries and test, and press Send a test. We follow{' '}
          <TextLink href="https://www.standardwebhooks.com">Standard Webhooks</TextLink>, so its libraries can verify our signatures. To
          verify them without a library:
        </Text>
        <CodeExample title="receiver.ts, run with WEBHOOK_SECRET=whsec_… node receiver.ts" code={RECEIVE_WITH_TYPESCRIPT} />
        <Text>
          The body contains <code>type</code>, <code>timestamp</code> and <code>data</code> with IDs and statuses; use your key to fetch the
          rest. Respond with a 2xx status within 15 seconds. Otherwise we try again, ten times over three days, always with the same{' '}
          <code>webhook-id</code>. An endpoint that has failed for {DISABLED_AFTER_DAYS} days is switched off, and we email you. Endpoints
          must use https and be on the public internet; in a sandbox, http and localhost also work.
        </Text>
        <ReferenceTable
          label="Events"
          columns={['Event', 'When']}
          rows={WEBHOOK_EVENTS.map((event) => [event, WEBHOOK_EVENT_NAMES[event]])}
          isCode
        />
      </Stack>
    </SectionCard>
  );
}

function Scopes() {
  return (
    <SectionCard title="What a key can do">
      <Stack gap={12}>
        <Text>
          A key acts on behalf of the user who created it. It can access only what that user can currently access, in one practice or
          company, so requests can leave out <code>company_id</code>. The <TextLink href={`${PORTAL_BASE}/api-docs`}>API document</TextLink>{' '}
          (OpenAPI 3.1) gives the scope that each call needs.
        </Text>
        <ReferenceTable
          label="Scopes"
          columns={['Scope', 'Allows']}
          rows={API_SCOPES.map((scope) => [scope, API_SCOPE_NAMES[scope]])}
          isCode
        />
        <Text>
          Filing, accepting offers, bank details, the team, connections and closing an account need a logged-in user. So does everything
          that calls HMRC, because HMRC requires details of the user’s device.
        </Text>
      </Stack>
    </SectionCard>
  );
}

const RESPONSE_FACTS = [
  ['400, 422', 'message names the field and says how to fix it'],
  ['401', 'The key is unknown, expired or revoked, or its owner has left or reset their password'],
  ['403', 'api_key.scope_missing: create a key with the scope. api_key.needs_person: do it in the portal'],
  ['404', 'It doesn’t exist, or the key’s owner can’t see it'],
  ['409', 'Something changed, or the Idempotency-Key was used for another request'],
  ['429', `More than ${MAX_CALLS_PER_KEY.toLocaleString('en-GB')} calls in 15 minutes: wait for the number of seconds in Retry-After`],
] as const;

function Answers() {
  return (
    <SectionCard title="Responses and limits">
      <Stack gap={12}>
        <Text>
          Every error is JSON (RFC 9457) with <code>code</code> for your software, <code>message</code> for users, and{' '}
          <code>request_id</code> for us. Amounts ending in <code>_pence</code> are in whole pence.
        </Text>
        <ReferenceTable label="Answers" columns={['Status', 'Meaning']} rows={RESPONSE_FACTS} />
      </Stack>
    </SectionCard>
  );
}
