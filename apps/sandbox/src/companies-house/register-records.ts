/**
 * The simulated register: seeded companies, generated companies and changes. Only additions and changes are stored, because the rest never
 * varies.
 */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { findLoadedPortfolio } from '../portfolio/loaded-portfolio.ts';
import type { Portfolio } from '../portfolio/portfolio-client.ts';
import { listRegisterCompanies } from '../portfolio/register-companies.ts';
import { generateCompanies } from './generate-companies.ts';
import type { RegisterCompany } from './register-company.ts';
import { SEED_COMPANIES } from './seed-companies.ts';

type CompanyBatch = { readonly count: number; readonly seed: number };

/** The generated companies that are always on the register. */
const FIRST_BATCH: CompanyBatch = { count: 400, seed: 1 };

export type RegisterRecords = {
  all(): IterableIterator<RegisterCompany>;
  find(number: string): RegisterCompany | undefined;
  save(company: RegisterCompany): void;
  /** Adds the companies generated from a seed. Repeating it changes nothing. */
  addBatch(batch: CompanyBatch): void;
};

export function openRegister(store: SimulatorStore): RegisterRecords {
  const changedCompanies = store.collection<RegisterCompany>('companies_house.companies');
  const batches = store.collection<CompanyBatch>('companies_house.batches');
  const companiesByBatch = new Map<string, ReadonlyMap<string, RegisterCompany>>();
  let clients: { readonly portfolio: Portfolio; readonly companies: ReadonlyMap<string, RegisterCompany> } | undefined;
  const toBatchKey = ({ count, seed }: CompanyBatch): string => `${count}:${seed}`;

  function generateBatch(batch: CompanyBatch): ReadonlyMap<string, RegisterCompany> {
    const key = toBatchKey(batch);
    const cachedCompanies =
      companiesByBatch.get(key) ?? new Map(generateCompanies(batch.count, batch.seed).map((company) => [company.number, company]));
    companiesByBatch.set(key, cachedCompanies);
    return cachedCompanies;
  }

  /** Reads the store each time, because the control page's reset empties it. */
  function listLayers(): ReadonlyMap<string, RegisterCompany>[] {
    const addedBatches = batches.list().map(({ document }) => generateBatch(document));
    return [
      new Map(changedCompanies.list().map(({ key, document }) => [key, document])),
      SEED_COMPANIES_BY_NUMBER,
      ...listPortfolioLayers(),
      ...addedBatches,
      generateBatch(FIRST_BATCH),
    ];
  }

  /** Returns the company clients of a loaded portfolio, which are also on the register. */
  function listPortfolioLayers(): ReadonlyMap<string, RegisterCompany>[] {
    const portfolio = findLoadedPortfolio(store);
    if (!portfolio) return [];
    if (clients?.portfolio !== portfolio) clients = { portfolio, companies: listRegisterCompanies(portfolio) };
    return [clients.companies];
  }

  return {
    *all() {
      const seenNumbers = new Set<string>();
      for (const layer of listLayers()) {
        for (const [number, company] of layer) {
          if (seenNumbers.has(number)) continue;
          seenNumbers.add(number);
          yield company;
        }
      }
    },
    find: (number) => {
      for (const layer of listLayers()) {
        const company = layer.get(number);
        if (company) return company;
      }
      return undefined;
    },
    save: (company) => changedCompanies.put(company.number, company),
    addBatch: (batch) => batches.put(toBatchKey(batch), batch),
  };
}

const SEED_COMPANIES_BY_NUMBER: ReadonlyMap<string, RegisterCompany> = new Map(SEED_COMPANIES.map((company) => [company.number, company]));
