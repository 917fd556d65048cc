/** Client for the HMRC agent simulator's control page. */
import { NotReachedError } from '../smoke/wait-until.ts';

/** Files that the simulator generates from the loaded portfolio. */
export const PORTFOLIO_FILES = ['clients.csv', 'paye-statement.csv', 'ct-statement.csv'] as const;
export type PortfolioFile = (typeof PORTFOLIO_FILES)[number];

export type LoadedPortfolio = { readonly clients: number; readonly seed: number; readonly today: string; readonly hmrc_user_id: string };

export type AgentSimulatorClient = {
  loadPortfolio(clients: number, seed: number): Promise<LoadedPortfolio>;
  readFile(name: PortfolioFile): Promise<string>;
  /** Undefined restores HMRC's own rate limit. */
  setRequestsPerSecond(limit: number | undefined): Promise<void>;
};

const AGENTS_PATH = '/control/hmrc-agents';

export function createAgentSimulatorClient(url: string): AgentSimulatorClient {
  const post = async (path: string, body: object): Promise<unknown> => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return JSON.parse(await readText(await fetch(`${url}${AGENTS_PATH}${path}`, init), `POST ${AGENTS_PATH}${path}`));
  };
  return {
    loadPortfolio: async (clients, seed) => (await post('/portfolio', { clients, seed })) as LoadedPortfolio,
    readFile: async (name) => readText(await fetch(`${url}${AGENTS_PATH}/portfolio/${name}`), `GET ${AGENTS_PATH}/portfolio/${name}`),
    setRequestsPerSecond: async (limit) => {
      await post('/rate', limit === undefined ? {} : { requests_per_second: limit });
    },
  };
}

async function readText(response: Response, requestLine: string): Promise<string> {
  const responseText = await response.text();
  if (!response.ok) throw new NotReachedError(`the sandbox returned ${response.status} to ${requestLine}: ${responseText.slice(0, 300)}`);
  return responseText;
}
