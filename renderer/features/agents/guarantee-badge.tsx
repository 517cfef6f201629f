/** Says which of the two guarantees holds for the chosen agent. */

import { Shield, ShieldCheck } from 'lucide-react';
import { useAgent } from '../../state/app-store.ts';
import { Hint } from '../../ui/hint.tsx';

export function GuaranteeBadge() {
  const agent = useAgent();
  if (agent === null) return <span />;
  const every = agent.guarantee === 'every-write';
  const words = every
    ? 'Every write captured before it happens'
    : 'Restorable to the start of the turn, and to each approval';
  const more = every
    ? 'This agent writes through Rewind: the old bytes are stored before a file changes. Commands are compared before and after.'
    : 'This agent writes by itself. The folder is read before its turn and at each approval, and compared afterwards.';
  return (
    <Hint text={more}>
      <button type="button" className="guarantee truncate">
        {every ? <ShieldCheck className="guarantee-every" aria-hidden /> : <Shield aria-hidden />}
        <span className="truncate">{words}</span>
      </button>
    </Hint>
  );
}
