/** The portfolio that the doubles hold: its recipe is in their store, its clients are made once and kept in memory. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { generatePortfolio } from './generate-portfolio.ts';
import type { Portfolio, PortfolioRecipe } from './portfolio-client.ts';

const KEY = 'oakline';

/** From now on the doubles of this store know these clients; another recipe takes the place of the one before. What was filed or answered meanwhile stays. */
export function loadPortfolio(store: SimulatorStore, recipe: PortfolioRecipe): Portfolio {
  const portfolio = madeOf(recipe);
  store.collection<PortfolioRecipe>('portfolio').put(KEY, { clients: recipe.clients, seed: recipe.seed, today: recipe.today });
  return portfolio;
}

/** The loaded portfolio; asked of the store each time, because the control page's reset empties it. */
export function loadedPortfolio(store: SimulatorStore): Portfolio | undefined {
  const recipe = store.collection<PortfolioRecipe>('portfolio').get(KEY);
  return recipe && madeOf(recipe);
}

/** The last one made: the doubles of one process share it. */
let last: Portfolio | undefined;

function madeOf(recipe: PortfolioRecipe): Portfolio {
  const isSame = last && last.clients === recipe.clients && last.seed === recipe.seed && last.today === recipe.today;
  last = last && isSame ? last : generatePortfolio(recipe);
  return last;
}
