/** Explains how to connect the user's own AI assistant, and what it can and can't do. */
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { APP_LIMIT_TEXT, MCP_PATH } from '@portal/contract/connected-apps.ts';
import { CONNECTED_APP_SCOPE_NAMES, CONNECTED_APP_SCOPES } from '@portal/domain/developers/connected-apps.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CodeExample } from './code-example.tsx';
import { ReferenceTable } from './reference-table.tsx';

const TOOLS = [
  ['search_clients', 'Finds clients, with their next deadline and what they owe'],
  ['get_client_positions', 'One client’s taxes: owed, overdue, refundable, penalties'],
  ['get_client_tax', 'One tax in detail: periods, returns, charges, payments'],
  ['list_vat_returns', 'A client’s VAT returns: periods, due dates, status and boxes'],
  ['list_due', 'What’s due between two dates, for all clients'],
  ['list_vat_returns_by_stage', 'VAT returns to prepare, waiting for approval, ready to file or filed'],
  ['get_client_timeline', 'A client’s timeline'],
  ['list_proposals', 'Drafts waiting for you, and what the rules have noticed'],
  ['propose', 'Adds a draft for you to review: a task, a note, a tag'],
  ['draft_message', 'Prepares an email to a client for you to send'],
  ['export_clients', 'Links to download the client list'],
  ['open_in_portal', 'Links to the page where you approve, send, file or see what to pay'],
] as const;

export function AssistantsScreen() {
  const address = `${window.location.origin}${PORTAL_BASE}${MCP_PATH}`;
  return (
    <Page
      title="Connect your assistant"
      maxWidth="text"
      lead="Ask Claude, ChatGPT or another assistant about your clients’ taxes. It works with your own permissions in OpenTax, through the Model Context Protocol (MCP)."
    >
      <Stack gap={24}>
        <ConnectCard address={address} />
        <SectionCard title="What it can do">
          <Stack gap={12}>
            <ReferenceTable label="Tools" columns={['Tool', 'What it’s for']} rows={TOOLS} isCode />
            <Text>Each result states where its figures come from and how old they are. Long lists are returned page by page.</Text>
          </Stack>
        </SectionCard>
        <SectionCard title="What it can’t do">
          <Stack gap={12}>
            <Text>
              It never sends, files, pays, approves or deletes anything, and it doesn’t call HMRC. For these actions it gives you a link,
              and you complete them here, logged in. It sees only the clients you can see.
            </Text>
            <Text>
              Assistants make mistakes, so check figures here before you rely on them. What the assistant reads goes to its provider, so
              check that your practice’s agreements with clients allow this. Names and messages may contain text that tries to instruct the
              assistant; we mark everything as data, but read drafts before you approve them.
            </Text>
          </Stack>
        </SectionCard>
        <ScopeList />
        <ForDevelopers address={address} />
      </Stack>
    </Page>
  );
}

function ConnectCard({ address }: { address: string }) {
  return (
    <SectionCard title="Connect it">
      <Stack gap={12}>
        <CodeExample title="Address" code={address} />
        <Text>
          <strong>Claude:</strong> in Settings, open Connectors, choose Add custom connector and enter the URL.
        </Text>
        <Text>
          <strong>ChatGPT:</strong> in Settings, under Apps and connectors, turn on developer mode, create a connector with the URL, and
          choose OAuth.
        </Text>
        <CodeExample title="Claude Code" code={`claude mcp add --transport http opentax ${address}`} />
        <Text>
          The assistant then opens a page of the portal. Log in, choose the practice and what you want to allow. You can allow less than it
          asks for. Remove it in <TextLink to={getSettingsPath('developers')}>Settings, Developers</TextLink>; its next request will be
          rejected.
        </Text>
        <Text>
          Try: “Which clients have VAT due in the next two weeks, and which of them are overdue already?” or “Draft a message to Larch Ltd
          asking for its October records.”
        </Text>
      </Stack>
    </SectionCard>
  );
}

function ScopeList() {
  return (
    <SectionCard title="What you allow">
      <Stack gap={12}>
        <ReferenceTable
          label="Scopes"
          columns={['Scope', 'Allows']}
          rows={CONNECTED_APP_SCOPES.map((scope) => [scope, CONNECTED_APP_SCOPE_NAMES[scope]])}
          isCode
        />
        <Text>
          It works until you remove it, for up to a year, and ends after 30 days without use, when you leave the practice, or when you reset
          your password. Limit: {APP_LIMIT_TEXT}. Every call is in the practice’s audit trail, with the tool, the user, the app and the
          client.
        </Text>
      </Stack>
    </SectionCard>
  );
}

const OAUTH_FACTS = [
  ['Protocol', 'MCP 2026-07-28 over Streamable HTTP, stateless. Earlier revisions work too.'],
  ['Sign-in', 'OAuth 2.1: authorization code with PKCE (S256), resource indicators, single-use refresh tokens'],
  ['Registration', 'Client ID metadata documents, or dynamic client registration. Public clients only.'],
  ['Redirect URIs', 'https, or http on localhost with any port; otherwise exactly as registered'],
  ['Tokens', 'Access 15 minutes, refresh 30 days'],
] as const;

function ForDevelopers({ address }: { address: string }) {
  return (
    <SectionCard title="For developers">
      <Stack gap={12}>
        <ReferenceTable label="Protocol" columns={['Subject', 'What we support']} rows={OAUTH_FACTS} />
        <CodeExample
          title="Discovery documents for sign-in"
          code={address.replace(PORTAL_BASE, `/.well-known/oauth-protected-resource${PORTAL_BASE}`)}
        />
        <Text>
          Software that runs without a user uses <TextLink to={PAGES.developers.path}>the API with a key</TextLink> instead.
        </Text>
      </Stack>
    </SectionCard>
  );
}
