/** The library's calendar. A day is written `2024-02-29`, so days compare as texts do. */
export interface Calendar {
  today(): string;
}

/** The calendar of the platform's clock, in UTC. */
export const systemCalendar: Calendar = {
  today: () => new Date().toISOString().slice(0, 10),
};

/** The day so many days after another. */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}
