/** Opens the live chat. Renders nothing when no chat is configured. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isChatConfigured, openChat } from '../lib/chat.ts';

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
    <>
      <Button variant="contained" onClick={() => void open()} loading={progress === 'opening'} loadingPosition="start">
        Chat with us
      </Button>
      {progress === 'failed' && (
        <Typography role="alert" color="error.tone" sx={{ mt: 1 }}>
          The chat did not open: HubSpot, who runs it, could not be reached. Try again in a minute, or write to us.
        </Typography>
      )}
    </>
  );
}
