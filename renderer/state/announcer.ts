/** One line for people who listen instead of look: what just happened. */

import { create } from 'zustand';

export const useAnnouncement = create<{ readonly text: string }>(() => ({ text: '' }));

export const announce = (text: string): void => useAnnouncement.setState({ text });
