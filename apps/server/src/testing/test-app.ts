/** A user's assistant for tests: the SDK's own client over HTTP, with the whole OAuth flow. The test decides how the user consents. */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientMetadata,
  type OAuthDiscoveryState,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const REDIRECT_URI = 'http://localhost:33418/callback';

/** Replaces the consent page: receives the URL with the app's request, and returns the URL that the browser is redirected to. */
export type Consent = (authorisationUrl: URL) => Promise<URL>;

export type TestApp = {
  readonly provider: TestProvider;
  readonly client: Client;
  /** Calls a tool and returns its structured content, or the text of its error. */
  call(tool: string, input?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
};

export type ToolResult = {
  readonly error: string | undefined;
  readonly content: Record<string, unknown>;
  readonly data: Record<string, unknown>;
};

export class TestProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  information: StoredOAuthClientInformation | undefined;
  issued: StoredOAuthTokens | undefined;
  asked: URL | undefined;
  verifier = '';
  discovered: OAuthDiscoveryState | undefined;

  constructor(name: string, redirectUri: string) {
    this.redirectUrl = redirectUri;
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUri] };
  }

  state = () => 'state-of-the-program';
  clientInformation = () => this.information;
  saveClientInformation = (information: StoredOAuthClientInformation) => void (this.information = information);
  tokens = () => this.issued;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.issued = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  invalidateCredentials = (credentialKind: string) => {
    if (credentialKind === 'tokens' || credentialKind === 'all') this.issued = undefined;
  };
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}

type TestAppOptions = {
  readonly name?: string;
  /** An app from before July 2026 starts with a handshake. */
  readonly isOld?: boolean;
  readonly redirectUri?: string;
};

/** Connects like a new app: it is rejected, registers, gets consent and connects. */
export async function connectApp(mcpUrl: string, consent: Consent, options: TestAppOptions = {}): Promise<TestApp> {
  const { name = 'Test assistant', isOld = false, redirectUri = REDIRECT_URI } = options;
  const provider = new TestProvider(name, redirectUri);
  const open = async (): Promise<{ client: Client; transport: StreamableHTTPClientTransport; isOpen: boolean }> => {
    const client = new Client({ name, version: '1.0.0' }, isOld ? {} : { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider });
    try {
      await client.connect(transport);
      return { client, transport, isOpen: true };
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      return { client, transport, isOpen: false };
    }
  };
  const first = await open();
  if (first.isOpen || !provider.asked) throw new Error('The program was let in without a consent.');
  const consentRedirect = await consent(provider.asked);
  if (consentRedirect.searchParams.get('state') !== 'state-of-the-program') throw new Error('The state is lost.');
  await first.transport.finishAuth(consentRedirect.searchParams);
  const { client, isOpen } = await open();
  if (!isOpen) throw new Error('The program isn’t connected.');
  return {
    provider,
    client,
    call: async (tool, input = {}) => {
      const result = await client.callTool({ name: tool, arguments: input });
      const content = (result.structuredContent ?? {}) as Record<string, unknown>;
      const [firstContent] = result.content as { text?: string }[];
      return {
        error: result.isError ? (firstContent?.text ?? '') : undefined,
        content,
        data: (content['data'] ?? {}) as Record<string, unknown>,
      };
    },
    close: () => client.close(),
  };
}
