/** What a user wrote, answered and sent as a client of a practice. What the practice's own people write is the practice's record. */
import { clientFiles, clientPosts, clientRequestItems } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { matchUser, type PersonTable } from './person-table.ts';

export const CLIENT_DATA: readonly PersonTable[] = [
  {
    title: 'What you wrote to accounting practices as their client',
    table: clientPosts,
    person: clientPosts.authorId,
    where: (userId) => and(eq(clientPosts.authorId, userId), eq(clientPosts.isFromClient, true)),
    columns: [clientPosts.clientId, clientPosts.text, clientPosts.writtenAt],
  },
  {
    title: 'Your answers to practices’ requests',
    table: clientRequestItems,
    ...matchUser(clientRequestItems.answeredBy),
    columns: [clientRequestItems.text, clientRequestItems.answer, clientRequestItems.answeredAt],
  },
  {
    title: 'Files you sent to practices as their client (ask the practice for the files)',
    table: clientFiles,
    person: clientFiles.uploadedBy,
    where: (userId) => and(eq(clientFiles.uploadedBy, userId), eq(clientFiles.isFromClient, true)),
    columns: [clientFiles.clientId, clientFiles.name, clientFiles.sizeBytes, clientFiles.state, clientFiles.uploadedAt],
  },
];
