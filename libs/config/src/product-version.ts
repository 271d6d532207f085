/** Version of the product: that of package.json, which a running build cannot count on finding. */
export const PRODUCT_VERSION = '0.1.0';
