import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { checkCssModules } from './check-css-modules.ts';

const root = mkdtempSync(join(tmpdir(), 'css-modules-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('finds classes that do not exist and classes that no component uses', () => {
  mkdirSync(join(root, 'apps/web/src'), { recursive: true });
  writeFileSync(join(root, 'apps/web/src/card.module.css'), '.card { width: 0.5rem; }\n.old:hover { color: red; }\n');
  writeFileSync(
    join(root, 'apps/web/src/card.tsx'),
    `import styles from './card.module.css';\nexport const classes = [styles.card, styles.crad];\n`,
  );
  expect(checkCssModules(root)).toEqual([
    'apps/web/src/card.tsx: apps/web/src/card.module.css has no class .crad',
    'apps/web/src/card.module.css: no component uses .old',
  ]);
});
