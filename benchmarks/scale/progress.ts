/** Reports the progress of a part on standard error, at most every five seconds. */
export function createProgress(part: string): (share: number) => void {
  let saidAt = Date.now();
  return (share) => {
    if (Date.now() - saidAt < 5_000) return;
    saidAt = Date.now();
    console.error(`${part}: ${Math.floor(share * 100)} %`);
  };
}
