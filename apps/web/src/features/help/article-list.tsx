/** Help articles that expand individually. The URL can open one, for example /help#fee. */
import { PAGES } from '@portal/contract/pages.ts';
import { useId } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { Table } from '../../ui/table.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './article-list.module.css';
import type { ArticleBlock } from './articles/article.ts';
import type { WrittenArticle } from './list-articles.ts';

type ArticleListProps = { title: string; articles: readonly WrittenArticle[]; isFirstOpen?: boolean };

export function ArticleList({ title, articles, isFirstOpen = false }: ArticleListProps) {
  const id = useId();
  const { hash } = useLocation();
  if (articles.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Heading id={id} level={2} className={styles.title}>
        {title}
      </Heading>
      <div className={styles.articles}>
        {articles.map((article, index) => (
          <details
            key={article.key}
            id={article.key}
            open={hash === `#${article.key}` || (hash === '' && isFirstOpen && index === 0)}
            className={styles.article}
          >
            <summary className={styles.summary}>
              <Heading level={3} className={styles.name}>
                {article.title}
              </Heading>
              <Icon name="chevronDown" className={styles.chevron} />
            </summary>
            <div className={styles.blocks}>
              {article.blocks.map((block, place) => (
                // The order of an article's blocks never changes, so the index can be the key.
                <BlockView key={place} block={block} />
              ))}
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

function BlockView({ block }: { block: ArticleBlock }) {
  if (typeof block === 'string') return <Text>{block}</Text>;
  if ('list' in block || 'steps' in block) {
    const List = 'list' in block ? 'ul' : 'ol';
    return (
      <List className={styles.list}>
        {('list' in block ? block.list : block.steps).map((item) => (
          <li key={item}>{item}</li>
        ))}
      </List>
    );
  }
  if ('link' in block) {
    return (
      <Text>
        <TextLink to={PAGES[block.link.page].path}>{block.link.label}</TextLink>
      </Text>
    );
  }
  return <ArticleTable {...block.table} />;
}

type TableBlock = Extract<ArticleBlock, { table: unknown }>['table'];

const isAmount = (text: string): boolean => text.startsWith('£');

function ArticleTable({ caption, head, rows }: TableBlock) {
  return (
    <div>
      <Text weight="bold" aria-hidden>
        {caption}
      </Text>
      <Table label={caption} flush>
        <thead>
          <tr>
            {head.map((name, column) => (
              <th key={name} scope="col" data-numeric={isAmount(rows[0]?.[column] ?? '') || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, column) =>
                column === 0 && row.length > 1 && !isAmount(cell) ? (
                  <th key={cell} scope="row">
                    {cell}
                  </th>
                ) : (
                  // Two cells of a row may have the same text, so the key includes the column.
                  <td key={`${column} ${cell}`} data-numeric={isAmount(cell) || undefined}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
