import { describe, expect, it } from 'vitest';
import { findDanglingCitations, type Documents } from './check-citations.ts';

const documents: Documents = {
  exists: (path) => ['docs/reference/hmrc.md', 'docs/decisions/0012', 'docs/decisions'].includes(path),
  read: () => '# HMRC\n\n## 7. Payments\n\n### 7.2 References\n',
};
const find = (source: string, path = 'packages/domain/src/example.ts'): readonly string[] => findDanglingCitations(path, source, documents);

describe('citations', () => {
  it('accepts sections, decisions and public sources that exist', () => {
    expect(find('// docs/reference/hmrc.md section 7.2; decision 12; VAT Notice 700/12; RFC 6749 section 4.1.2.\n')).toEqual([]);
  });

  it('rejects documents that are not in the repository', () => {
    expect(find('// Due seven days later (FACTS 7).\n')).toEqual([
      expect.stringContaining(`example.ts:1: "FACTS" isn't in this repository`),
    ]);
    expect(find('// Specification 2.6 says so.\n')).toHaveLength(1);
    expect(find('// See product.md section 5.\n')).toHaveLength(1);
  });

  it('rejects sections, files and decisions that do not exist', () => {
    expect(find('// docs/reference/hmrc.md section 8\n')).toEqual([expect.stringContaining('docs/reference/hmrc.md has no section 8')]);
    expect(find('// docs/reference/vies.md\n')).toEqual([expect.stringContaining("docs/reference/vies.md doesn't exist")]);
    expect(find('// decision 99\n')).toEqual([expect.stringContaining("decision 99 doesn't exist")]);
  });

  it('rejects links in documents that lead nowhere', () => {
    expect(find('[hmrc](reference/hmrc.md) [gone](reference/gone.md)', 'docs/index.md')).toEqual([
      expect.stringContaining('docs/reference/gone.md leads nowhere'),
    ]);
  });
});
