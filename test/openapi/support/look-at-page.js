// Measures the layout of a page: evaluated in it, returns its last expression.
(() => {
  const { documentElement, body } = document;
  /** Relative luminance (WCAG 2.2), from 0 to 1. */
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map((channel) => {
      const value = Number(channel) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element ?? body);
    const isTransparent = backgroundColor === "rgba(0, 0, 0, 0)";
    return isTransparent ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const contrasts = [...document.querySelectorAll("main *, nav *")]
    .filter((element) => element.checkVisibility() && element.textContent.trim() !== "")
    .map((element) => {
      const one = luminance(getComputedStyle(element).color);
      const other = luminance(backgroundOf(element));
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    });
  return {
    overflow: documentElement.scrollWidth - documentElement.clientWidth,
    background: luminance(getComputedStyle(body).backgroundColor),
    leastContrast: Math.min(...contrasts),
    counted: contrasts.length,
  };
})();
