/** A named progress bar; without a total it moves to say that work goes on. */

import './progress-bar.css';

interface ProgressBarProps {
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
}

export function ProgressBar({ name, done, total }: ProgressBarProps) {
  const share = total === null || total === 0 ? null : Math.min(1, done / total);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
    >
      <div
        className={share === null ? 'progress-fill progress-unknown' : 'progress-fill'}
        style={share === null ? undefined : { transform: `scaleX(${share})` }}
      />
    </div>
  );
}
