/** Help articles that open one by one. The URL can name one: /help#fee. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';
import { Icon } from '../../ui/icons.tsx';
import type { Block } from './articles/article.ts';
import type { WrittenArticle } from './list-articles.ts';

type ArticleListProps = { title: string; articles: readonly WrittenArticle[]; isFirstOpen?: boolean };

export function ArticleList({ title, articles, isFirstOpen = false }: ArticleListProps) {
  const id = useId();
  const { hash } = useLocation();
  if (articles.length === 0) return null;
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h2" sx={{ mb: 1.5 }}>
        {title}
      </Typography>
      <Box sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        {articles.map((article, index) => (
          <Box
            key={article.key}
            id={article.key}
            component="details"
            open={hash === `#${article.key}` || (hash === '' && isFirstOpen && index === 0)}
            sx={{
              '& + &': { borderTop: 1, borderColor: 'divider' },
              // Don't render closed articles: a transition that started in one would never end.
              '&:not([open]) > div': { display: 'none' },
              '&[open] > summary .MuiSvgIcon-root': { transform: 'rotate(180deg)' },
            }}
          >
            <Box
              component="summary"
              sx={{
                display: 'flex',
                gap: 2,
                alignItems: 'center',
                justifyContent: 'space-between',
                minHeight: 56,
                px: { xs: 2, sm: 3 },
                py: 1.5,
                cursor: 'pointer',
                fontWeight: 500,
                listStyle: 'none',
                '&::-webkit-details-marker': { display: 'none' },
                '&:hover': { bgcolor: 'primary.soft' },
              }}
            >
              <Typography component="h3" sx={{ fontWeight: 500 }}>
                {article.title}
              </Typography>
              <Icon name="chevronDown" sx={{ color: 'text.secondary' }} />
            </Box>
            <Box sx={{ px: { xs: 2, sm: 3 }, pb: 3, display: 'grid', gap: 2, maxWidth: '72ch' }}>
              {article.blocks.map((block, place) => (
                // The order of an article's blocks never changes, so the index can be the key.
                <BlockView key={place} block={block} />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function BlockView({ block }: { block: Block }) {
  if (typeof block === 'string') return <Typography>{block}</Typography>;
  if ('list' in block || 'steps' in block) {
    const items = 'list' in block ? block.list : block.steps;
    return (
      <Box component={'list' in block ? 'ul' : 'ol'} sx={{ m: 0, pl: 3, display: 'grid', gap: 1 }}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </Box>
    );
  }
  if ('link' in block) {
    return (
      <Typography>
        <Link component={RouterLink} to={PAGES[block.link.page].path}>
          {block.link.label}
        </Link>
      </Typography>
    );
  }
  return <ArticleTable {...block.table} />;
}

type TableBlock = Extract<Block, { table: unknown }>['table'];

const isAmount = (text: string): boolean => text.startsWith('£');

function ArticleTable({ caption, head, rows }: TableBlock) {
  return (
    <Box
      component="table"
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontVariantNumeric: 'tabular-nums',
        '& th, & td': { py: 1, pr: 2, borderBottom: 1, borderColor: 'divider', textAlign: 'left', verticalAlign: 'top' },
        '& th': { fontWeight: 500 },
        '& .amount': { textAlign: 'right', pr: 0, whiteSpace: 'nowrap' },
      }}
    >
      <Box component="caption" sx={{ textAlign: 'left', fontWeight: 600, pb: 1 }}>
        {caption}
      </Box>
      <thead>
        <tr>
          {head.map((name, column) => (
            <th key={name} scope="col" className={isAmount(rows[0]?.[column] ?? '') ? 'amount' : undefined}>
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
                <td key={`${column} ${cell}`} className={isAmount(cell) ? 'amount' : undefined}>
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
