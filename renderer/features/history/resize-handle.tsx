/** The edge of the history panel: drag it, or move it with the arrow keys. */

import { useWindow } from '../../state/window-store.ts';

const KEY_STEP = 20;

export function ResizeHandle() {
  const width = useWindow((open) => open.historyWidth);
  const setWidth = useWindow((open) => open.setHistoryWidth);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no thematic break
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the history"
      aria-valuenow={width}
      tabIndex={0}
      className="history-resize"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          setWidth(window.innerWidth - event.clientX);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') setWidth(width + KEY_STEP);
        if (event.key === 'ArrowRight') setWidth(width - KEY_STEP);
      }}
    />
  );
}
