/** Opens the live chat. Renders nothing when no chat is configured. */
import { useState } from 'react';
import { isChatConfigured, openChat } from '../lib/chat.ts';
import { Button } from './button.tsx';
import { Stack } from './layout.tsx';
import { Text } from './text.tsx';

type Progress = 'idle' | 'opening' | 'failed' | 'not_configured';

export function ChatButton() {
  const [progress, setProgress] = useState<Progress>(isChatConfigured() ? 'idle' : 'not_configured');
  const open = async (): Promise<void> => {
    setProgress('opening');
    const opening = await openChat();
    setProgress(opening === 'failed' || opening === 'not_configured' ? opening : 'idle');
  };
  if (progress === 'not_configured') return null;
  return (
    <Stack gap={8} align="start">
      <Button variant="outlined" onClick={() => void open()} isBusy={progress === 'opening'}>
        Chat with us
      </Button>
      {progress === 'failed' && (
        <Text role="alert" tone="error">
          We couldn’t open the chat because HubSpot, which runs it, didn’t respond. Try again in a minute, or send us a message.
        </Text>
      )}
    </Stack>
  );
}
