/** Re-encodes a logo as a small PNG, so that nothing else in the uploaded file reaches a client’s browser. */
import { ResizeFit, Transformer } from '@napi-rs/image';
import { AppError } from '@portal/domain/app-error.ts';

/** Twice its display size, for high-density displays. */
const MAX_WIDTH = 480;
const MAX_HEIGHT = 128;
/** A small file can unpack to gigabytes of pixels, so its size is read from its header first. */
const MAX_PIXELS = 16_000_000;

export async function reencodeLogo(bytes: Buffer): Promise<Buffer> {
  try {
    const { format, width, height } = await new Transformer(bytes).metadata();
    if (format !== 'png' && format !== 'jpeg') throw createUnusableLogoError('Choose a PNG or JPEG image.');
    if (width * height > MAX_PIXELS) throw createUnusableLogoError('This image has too many pixels. Choose one of at most 4,000 by 4,000.');
    const uprightImage = new Transformer(bytes).rotate();
    // Never enlarges the image.
    const isTooLarge = width > MAX_WIDTH || height > MAX_HEIGHT;
    return await (isTooLarge ? uprightImage.resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: ResizeFit.Inside }) : uprightImage).png();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw createUnusableLogoError('We couldn’t read this image. Save it again as PNG or JPEG.');
  }
}

function createUnusableLogoError(reason: string): AppError {
  return new AppError('impossible', 'brand.logo_unusable', reason, { field: 'file' });
}
