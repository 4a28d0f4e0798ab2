import { Badge } from '../parts.js';
import type { Channel } from '../shapes.js';
import { named } from '../words.js';

const QUALITY: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  GREEN: 'good',
  YELLOW: 'warn',
  RED: 'bad',
};

export const QualityBadge = ({
  channel: { health, quality_rating: rating },
}: {
  readonly channel: Channel;
}) => {
  const quality = health?.quality ?? rating ?? 'UNKNOWN';
  return <Badge kind={QUALITY[quality] ?? 'plain'}>{named('quality', quality)}</Badge>;
};

export const StateBadge = ({ channel: { status } }: { readonly channel: Channel }) => (
  <Badge kind={status === 'connected' ? 'good' : status === 'pending' ? 'warn' : 'bad'}>
    {named('channel', status)}
  </Badge>
);
