/** Where floating things go: a modal dialog covers everything outside of it, so its tooltips and menus live inside. */

import { createContext, useContext } from 'react';

export const TopLayer = createContext<HTMLElement | null>(null);

export const useTopLayer = (): HTMLElement | null => useContext(TopLayer);
