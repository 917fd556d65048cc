/**
 * Imports that the layer check must refuse, and a few that it must not. A rule whose pattern never matches stays green for ever:
 * only a case that must fail shows that it works.
 */
export type LayerCase = { readonly file: string; readonly source: string; readonly refused: RegExp | undefined };

const importing = (specifier: string, name = 'thing'): string => `import { ${name} } from '${specifier}';\nexport const kept = ${name};\n`;

const refusedCase = (file: string, specifier: string, refused: RegExp): LayerCase => ({ file, source: importing(specifier), refused });
const allowedCase = (file: string, specifier: string): LayerCase => ({ file, source: importing(specifier), refused: undefined });

export const layerCases: readonly LayerCase[] = [
  refusedCase('packages/domain/src/a1.ts', '@portal/contract/x.ts', /domain stands at the bottom/),
  refusedCase('packages/domain/src/a2.ts', '@portal/db/x.ts', /domain stands at the bottom/),
  refusedCase('packages/domain/src/a3.ts', 'node:fs', /domain is pure/),
  refusedCase('packages/domain/src/a4.ts', 'zod', /one library/),
  refusedCase('packages/domain/src/a5.ts', '../../db/../packages/db/x.ts', /Across rooms by name/),
  allowedCase('packages/domain/src/a6.ts', 'temporal-polyfill'),
  allowedCase('packages/domain/src/uk-tax/a7.ts', '../money.ts'),
  refusedCase('packages/contract/src/b1.ts', '@portal/db/x.ts', /shared with the browser/),
  refusedCase('packages/contract/src/b2.ts', 'fastify', /domain and zod only/),
  refusedCase('packages/contract/src/b3.ts', 'node:crypto', /domain and zod only/),
  allowedCase('packages/contract/src/b4.ts', 'zod'),
  allowedCase('packages/contract/src/b5.ts', '@portal/domain/money.ts'),
  refusedCase('packages/providers/src/hmrc/c1.ts', '@portal/db/x.ts', /neither our database nor our calls/),
  refusedCase('packages/providers/src/hmrc/c2.ts', '@portal/contract/x.ts', /neither our database nor our calls/),
  refusedCase('packages/providers/src/hmrc/c3.ts', '@portal/server/x.ts', /neither our database nor our calls/),
  refusedCase('packages/db/src/d1.ts', '@portal/providers/x.ts', /domain and on Drizzle only/),
  refusedCase('packages/db/src/d2.ts', 'zod', /domain and on Drizzle only/),
  refusedCase('apps/server/src/features/advances/e1.ts', '@portal/web/x.ts', /calls both over HTTP/),
  refusedCase('apps/server/src/features/advances/e2.ts', '@portal/sandbox/x.ts', /Only tests may import/),
  refusedCase('apps/server/src/features/advances/e3.ts', 'fastify', /know Fastify/),
  refusedCase('apps/server/src/features/advances/e4.ts', 'pg-boss', /knows pg-boss/),
  refusedCase('apps/server/src/features/advances/e5.ts', '../vat-returns/some-queries.ts', /never its queries/),
  refusedCase('apps/server/src/features/advances/e6-routes.ts', '../vat-returns/some-queries.ts', /never its queries/),
  allowedCase('apps/server/src/features/advances/e7-routes.ts', 'fastify'),
  allowedCase('apps/server/src/features/advances/e8.ts', './some-queries.ts'),
  allowedCase('apps/server/src/features/advances/e9.ts', '../ledger/post-to-ledger.ts'),
  allowedCase('apps/server/src/jobs/e10.ts', 'pg-boss'),
  refusedCase('apps/server/src/e11.ts', '@portal/sandbox/x.ts', /Only tests may import/),
  refusedCase('apps/server/src/features/advances/e12-routes.ts', '@portal/sandbox/x.ts', /Only tests may import/),
  refusedCase('apps/server/src/jobs/e13.ts', '@portal/sandbox/x.ts', /Only tests may import/),
  allowedCase('apps/server/src/features/advances/e14.test.ts', '@portal/sandbox/x.ts'),
  allowedCase('apps/server/src/testing/e15.ts', '@portal/sandbox/x.ts'),
  refusedCase('apps/server/src/features/advances/e16.test.ts', '@portal/web/x.ts', /never imports the web app/),
  refusedCase('apps/sandbox/src/f1.ts', '@portal/server/x.ts', /only what a provider knows/),
  refusedCase('apps/sandbox/src/f2.ts', '@portal/db/x.ts', /only what a provider knows/),
  allowedCase('apps/sandbox/src/hmrc/f3.ts', '@portal/providers/x.ts'),
  refusedCase('packages/providers/src/hmrc/c4.ts', '@portal/sandbox/x.ts', /neither our database nor our calls/),
  refusedCase('apps/web/src/lib/g1.ts', '@portal/server/x.ts', /contract and the domain only/),
  refusedCase('apps/web/src/lib/g2.ts', '@portal/providers/x.ts', /contract and the domain only/),
  refusedCase('apps/web/src/features/advances/g3.ts', '@portal/db/x.ts', /contract and the domain only/),
  refusedCase('apps/web/src/features/advances/g4.ts', 'node:fs', /runs in a browser/),
  refusedCase('apps/web/src/features/advances/g5.ts', '../dashboard/tile.tsx', /never imports another feature/),
  refusedCase('apps/web/src/ui/g6.ts', '../features/dashboard/tile.tsx', /below the screens/),
  allowedCase('apps/web/src/features/advances/g7.ts', '../../ui/page.tsx'),
  allowedCase('apps/web/src/features/advances/g8.ts', './parts.ts'),
  refusedCase('packages/domain/src/h1.ts', './index.ts', /No barrels/),
  { file: 'apps/server/src/features/advances/i1.ts', source: "export const port = process.env['PORT'];\n", refused: /process\.env/ },
  { file: 'packages/domain/src/i2.ts', source: 'export const anything: any = 1;\n', refused: /any/ },
  { file: 'apps/server/src/i3.ts', source: 'const work = async () => 1;\nwork();\nexport {};\n', refused: /Promises must be awaited/ },
];
