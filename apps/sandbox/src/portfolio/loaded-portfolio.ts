/** The portfolio that the simulators serve. Its recipe is in their store; its clients are generated once and cached in memory. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { generatePortfolio } from './generate-portfolio.ts';
import type { Portfolio, PortfolioRecipe } from './portfolio-client.ts';

const KEY = 'oakline';

/**
 * Loads a portfolio into the simulators of the store. A new recipe replaces the previous one but keeps filed returns and answered requests.
 */
export function loadPortfolio(store: SimulatorStore, recipe: PortfolioRecipe): Portfolio {
  const portfolio = getOrGenerate(recipe);
  store.collection<PortfolioRecipe>('portfolio').put(KEY, { clients: recipe.clients, seed: recipe.seed, today: recipe.today });
  return portfolio;
}

/** Returns the loaded portfolio. Reads the store each time, because the control page's reset empties it. */
export function findLoadedPortfolio(store: SimulatorStore): Portfolio | undefined {
  const recipe = store.collection<PortfolioRecipe>('portfolio').get(KEY);
  return recipe && getOrGenerate(recipe);
}

/** The last generated portfolio, shared by all simulators in the process. */
let lastPortfolio: Portfolio | undefined;

function getOrGenerate(recipe: PortfolioRecipe): Portfolio {
  const isSame =
    lastPortfolio && lastPortfolio.clients === recipe.clients && lastPortfolio.seed === recipe.seed && lastPortfolio.today === recipe.today;
  lastPortfolio = lastPortfolio && isSame ? lastPortfolio : generatePortfolio(recipe);
  return lastPortfolio;
}
